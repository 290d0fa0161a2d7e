import { drawFrom, type Random, type Range, seededRandom } from '../base/index.ts'
import type { GenerationRequest } from './generation-request.ts'
import { Prose } from './prose.ts'
import { CODE_UNITS_PER_TOKEN, countTokens } from './tokens.ts'
import { jsonForSchemas, planToolCalls, type ToolCallStyle, type WrittenToolCall } from './tool-calls.ts'

/** What one token of output is. */
export type Piece =
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  /** Opens a call: id and name are one token; its arguments follow. */
  | { readonly kind: 'tool_call'; readonly index: number; readonly id: string; readonly name: string }
  | { readonly kind: 'arguments'; readonly index: number; readonly text: string }

/** What the pieces say, but for the heads of tool calls. */
export function textOf(pieces: readonly Piece[]): string {
  let text = ''
  for (const piece of pieces) if (piece.kind !== 'tool_call') text += piece.text
  return text
}

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

  const content = planContent(request, style, random, most, newId, flaw)
  if (content !== undefined) {
    const reasoningTokens = Math.max(0, Math.min(thought, most - content.tokens))
    // An answer that must last longer than its calls says something before them; JSON is as long as it is.
    const proseTokens = content.endsWith === 'tool_calls' ? Math.max(0, least - reasoningTokens - content.tokens) : 0
    const written = reasoningTokens + proseTokens + content.tokens
    return {
      tokens: Math.min(written, most),
      reasoningTokens,
      finishReason: written > most ? 'length' : content.endsWith,
      pieces: inSuccession(writeProse(random, reasoningTokens, proseTokens), content.pieces),
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

/** The part of an answer whose length is its own. */
interface Content {
  readonly tokens: number
  readonly endsWith: 'stop' | 'tool_calls'
  readonly pieces: Iterable<Piece>
}

/** `undefined` for an answer in free words. */
function planContent(
  request: GenerationRequest,
  style: AnswerStyle,
  random: Random,
  mostTokens: number,
  newId: () => string,
  flaw: AnswerFlaw | undefined,
): Content | undefined {
  const planned = planToolCalls(request, style, random, mostTokens)
  const calls = flaw === 'malformed-arguments' ? planned.map(withoutEnd) : planned
  if (calls.length > 0) {
    const tokens = calls.reduce((sum, call) => sum + 1 + countTokens(call.arguments), 0)
    return { tokens, endsWith: 'tool_calls', pieces: writeCalls(calls, newId) }
  }
  if (request.textSchema === undefined) return undefined
  const json = jsonForSchemas([request.textSchema], random, mostTokens)
  return { tokens: countTokens(json), endsWith: 'stop', pieces: writeText(json) }
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

function* writeText(text: string): Generator<Piece, undefined> {
  for (const token of tokensOf(text)) yield { kind: 'text', text: token }
}

function* writeCalls(calls: readonly WrittenToolCall[], newId: () => string): Generator<Piece, undefined> {
  for (const [index, call] of calls.entries()) {
    yield { kind: 'tool_call', index, id: newId(), name: call.name }
    for (const text of tokensOf(call.arguments)) yield { kind: 'arguments', index, text }
  }
}

function* inSuccession(...parts: readonly Iterable<Piece>[]): Generator<Piece, undefined> {
  for (const part of parts) yield* part
}

function* tokensOf(text: string): Generator<string, undefined> {
  for (let at = 0; at < text.length; at += CODE_UNITS_PER_TOKEN) yield text.slice(at, at + CODE_UNITS_PER_TOKEN)
}
