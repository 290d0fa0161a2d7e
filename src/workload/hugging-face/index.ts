/** Data sets of the Hugging Face Hub. */
export { formatBytes } from './cache/disk-failure.ts'
export { huggingFace } from './hugging-face.ts'
export type { HuggingFaceOptions } from './options.ts'
export type { LocalTraceFile, PlannedFile, PublicationPlan } from './publish/plan-publication.ts'
export { Publication } from './publish/publication.ts'
