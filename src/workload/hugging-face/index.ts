/** Data sets of the Hugging Face Hub. */
export { huggingFace } from './hugging-face.ts'
export type { HuggingFaceOptions } from './options.ts'
