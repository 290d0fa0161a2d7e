import type { GenerationRequest } from './generation-request.ts'
import { Prose } from './prose.ts'
import { drawFrom, type Random, type Range, seededRandom } from './random.ts'
import { CODE_UNITS_PER_TOKEN, countTokens } from './tokens.ts'
import { jsonForSchemas, planToolCalls, type ToolCallStyle, type WrittenToolCall } from './tool-calls.ts'

/** What one token of output is. */
export type Piece =
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  /** Opens a call: id and name are one token; its arguments follow. */
  | { readonly kind: 'tool_call'; readonly index: number; readonly id: string; readonly name: string }
  | { readonly kind: 'arguments'; readonly index: number; readonly text: string }

export type FinishReason = 'stop' | 'length' | 'tool_calls'

/** How the simulated model answers, as far as the request leaves it open. */
export interface AnswerStyle extends ToolCallStyle {
  readonly seed: number
  readonly contextTokens: number
  readonly outputTokens: number | Range
  readonly reasoning?: { readonly tokens: number } | undefined
}

/** What is wrong with the answer on purpose. */
export type AnswerFlaw = 'malformed-arguments' | 'empty'

/** An answer, decided as a whole and handed out token by token. */
export interface Generation {
  readonly tokens: number
  readonly reasoningTokens: number
  readonly finishReason: FinishReason
  readonly pieces: Iterator<Piece, undefined>
}

/**
 * Everything but the ids of tool calls follows from the seed and the request: the same request gets the same answer,
 * whatever else the server does.
 *
 * @param newId makes an id that no other tool call of this server has
 */
export function planGeneration(
  request: GenerationRequest,
  style: AnswerStyle,
  newId: () => string,
  flaw?: AnswerFlaw,
): Generation {
  if (flaw === 'empty') return { tokens: 0, reasoningTokens: 0, finishReason: 'stop', pieces: noPieces() }
  const random = seededRandom(style.seed, request.seed, request.prompt.hash)
  const most = Math.min(request.maxTokens ?? Number.POSITIVE_INFINITY, style.contextTokens - request.prompt.length)
  const least = request.ignoreEos && request.maxTokens !== undefined ? most : Math.min(request.minTokens, most)
  const thought = style.reasoning?.tokens ?? 0

  const planned = planToolCalls(request, style, random, most)
  const calls = flaw === undefined ? planned : planned.map(withoutEnd)
  if (calls.length > 0) {
    const callTokens = calls.reduce((sum, call) => sum + 1 + countTokens(call.arguments), 0)
    const reasoningTokens = Math.max(0, Math.min(thought, most - callTokens))
    // An answer that must last longer than its calls says something before them.
    const prose = Math.max(0, least - reasoningTokens - callTokens)
    const written = reasoningTokens + prose + callTokens
    return {
      tokens: Math.min(written, most),
      reasoningTokens,
      finishReason: written > most ? 'length' : 'tool_calls',
      pieces: writeCalls(random, reasoningTokens, prose, calls, newId),
    }
  }

  if (request.textSchema !== undefined) {
    const json = jsonForSchemas([request.textSchema], random, most)
    const jsonTokens = countTokens(json)
    const reasoningTokens = Math.max(0, Math.min(thought, most - jsonTokens))
    const written = reasoningTokens + jsonTokens
    return {
      tokens: Math.min(written, most),
      reasoningTokens,
      finishReason: written > most ? 'length' : 'stop',
      pieces: writeJson(random, reasoningTokens, json),
    }
  }

  // A request that names a length gets exactly that.
  const natural = request.maxTokens === undefined ? thought + drawFrom(random, style.outputTokens) : most
  const tokens = Math.min(most, Math.max(natural, least))
  const reasoningTokens = Math.min(thought, tokens - 1)
  return {
    tokens,
    reasoningTokens,
    finishReason: tokens === most ? 'length' : 'stop',
    pieces: writeProse(random, reasoningTokens, tokens - reasoningTokens),
  }
}

function withoutEnd(call: WrittenToolCall): WrittenToolCall {
  return { ...call, arguments: call.arguments.slice(0, -1) }
}

function* noPieces(): Generator<Piece, undefined> {}

function* writeProse(random: Random, reasoningTokens: number, textTokens: number): Generator<Piece, undefined> {
  const thoughts = new Prose(random)
  for (let i = 1; i <= reasoningTokens; i++) yield { kind: 'reasoning', text: thoughts.nextToken(i === reasoningTokens) }
  const prose = new Prose(random)
  for (let i = 1; i <= textTokens; i++) yield { kind: 'text', text: prose.nextToken(i === textTokens) }
}

function* writeJson(random: Random, reasoningTokens: number, json: string): Generator<Piece, undefined> {
  yield* writeProse(random, reasoningTokens, 0)
  for (const text of tokensOf(json)) yield { kind: 'text', text }
}

function* writeCalls(
  random: Random,
  reasoningTokens: number,
  textTokens: number,
  calls: readonly WrittenToolCall[],
  newId: () => string,
): Generator<Piece, undefined> {
  yield* writeProse(random, reasoningTokens, textTokens)
  for (const [index, call] of calls.entries()) {
    yield { kind: 'tool_call', index, id: newId(), name: call.name }
    for (const text of tokensOf(call.arguments)) yield { kind: 'arguments', index, text }
  }
}

function* tokensOf(text: string): Generator<string, undefined> {
  for (let at = 0; at < text.length; at += CODE_UNITS_PER_TOKEN) yield text.slice(at, at + CODE_UNITS_PER_TOKEN)
}
