import { readAnthropicBlock } from './anthropic.ts'
import { readBedrockBlock } from './bedrock.ts'
import type { BlockReader } from './block.ts'
import { readGeminiPart } from './gemini.ts'
import { readGenAiPart } from './gen-ai.ts'
import { readGenkitPart } from './genkit.ts'
import { readOpenAiBlock } from './openai.ts'
import { readVercelPart } from './vercel.ts'

/** Asked in this order; the first that knows a block reads it. */
export const blockReaders: readonly BlockReader[] = [
  readGenAiPart,
  readVercelPart,
  readAnthropicBlock,
  readGeminiPart,
  readBedrockBlock,
  readGenkitPart,
  readOpenAiBlock,
]
