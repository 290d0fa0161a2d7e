import type { TokenUsage } from '../../message/index.ts'
import { countOf, isObject, type JsonObject } from '../json-value.ts'

const FIELDS = ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const

/** The counts of one response, which a stream tells in two parts: those of the prompt first, those of the answer at its end. */
export class MessagesUsage {
  readonly #counts: { [Field in (typeof FIELDS)[number]]?: number } = {}

  /** A later count replaces an earlier one: what the stream begins with is provisional. */
  add(value: unknown): void {
    if (!isObject(value)) return
    const counts: JsonObject = value
    for (const field of FIELDS) {
      const count = countOf(counts[field])
      if (count !== undefined) this.#counts[field] = count
    }
  }

  /** Input tokens as all other APIs count them: this one leaves out those of the cache. `null` when there is no count. */
  get total(): TokenUsage | null {
    const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } = this.#counts
    const usage: { -readonly [Name in keyof TokenUsage]: TokenUsage[Name] } = {}
    if (input_tokens !== undefined) {
      usage.inputTokens = input_tokens + (cache_read_input_tokens ?? 0) + (cache_creation_input_tokens ?? 0)
    }
    if (output_tokens !== undefined) usage.outputTokens = output_tokens
    if (cache_read_input_tokens !== undefined) usage.cachedInputTokens = cache_read_input_tokens
    if (cache_creation_input_tokens !== undefined) usage.cacheWriteTokens = cache_creation_input_tokens
    return Object.keys(usage).length === 0 ? null : usage
  }
}
