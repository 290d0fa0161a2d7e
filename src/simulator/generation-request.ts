import type { TokenSequence } from './tokens.ts'

/** What is asked of the model, whichever API it came by. */
export interface GenerationRequest {
  readonly model: string
  readonly prompt: TokenSequence
  /** Whether one of the messages holds the text. */
  includesText(text: string): boolean
  readonly tools: readonly Tool[]
  readonly toolChoice: 'none' | 'auto' | 'required' | { readonly name: string }
  readonly parallelToolCalls: boolean
  /** A JSON Schema the text must meet. */
  readonly textSchema?: unknown
  readonly maxTokens?: number
  readonly minTokens: number
  /** Write until `maxTokens`, whatever the model would. */
  readonly ignoreEos: boolean
  readonly seed: number
  readonly stream: boolean
  readonly streamUsage: boolean
}

export interface Tool {
  readonly name: string
  /** A JSON Schema; absent means no arguments. */
  readonly parameters?: unknown
}
