import type { Message } from './message.ts'

/** One recorded LLM call. */
export interface Call {
  /** The span's id; unique within its session. */
  readonly id: string
  /** What a person would call it: the span's name, e.g. `chat gpt-4o`. */
  readonly name: string
  /** The agent on whose behalf it ran, where the trace says so. */
  readonly agent?: string
  /** Requested model, else the one that answered; empty when the trace names none. */
  readonly model: string
  /** The whole input; system instructions kept apart in the trace are the first message, once. Never empty. */
  readonly messages: readonly Message[]
  /** `null` when the call failed or its output was not captured. */
  readonly output: Message | null
  readonly tools: readonly ToolDefinition[]
  readonly params: CallParams
  /** `null` when the trace says nothing of tokens. */
  readonly usage: TokenUsage | null
  /** Relative to the session's first call, in milliseconds with fractions. */
  readonly startMs: number
  readonly endMs: number
  /** Recorded time to first token, where the trace has it. */
  readonly ttftMs?: number
  /** The recorded failure, else `null`. */
  readonly error: string | null
  /** Ids of the spans around the call, outermost first, without the call's own. */
  readonly spanPath: readonly string[]
  /** The span's attributes less its content (messages, tools): scalars for labels and headers. */
  readonly attributes: Readonly<Record<string, Scalar>>
}

export type Scalar = string | number | boolean

/** One recorded workflow: the calls that belong together, ordered by start, end, id. */
export interface Session {
  readonly id: string
  /** The file (or dataset row) it came from. */
  readonly source: string
  readonly attributes: Readonly<Record<string, Scalar>>
  readonly calls: readonly Call[]
}

export interface ToolDefinition {
  readonly name: string
  readonly description?: string
  /** A JSON Schema object, as recorded. Absent when the trace only names the tool. */
  readonly parameters?: Readonly<Record<string, unknown>>
}

export interface CallParams {
  readonly maxTokens?: number
  readonly temperature?: number
  readonly topP?: number
  readonly topK?: number
  readonly seed?: number
  readonly stop?: readonly string[]
  readonly frequencyPenalty?: number
  readonly presencePenalty?: number
  readonly stream?: boolean
}

/** Tokens of one call. `inputTokens` includes cached ones. */
export interface TokenUsage {
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly cachedInputTokens?: number
  readonly cacheWriteTokens?: number
  readonly reasoningTokens?: number
}
