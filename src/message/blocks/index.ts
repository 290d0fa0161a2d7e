import type { BlockReader } from './block.ts'
import { readGenAiPart } from './gen-ai.ts'
import { readOpenAiBlock } from './openai.ts'

/** Asked in this order; the first that knows a block reads it. */
export const blockReaders: readonly BlockReader[] = [readGenAiPart, readOpenAiBlock]
