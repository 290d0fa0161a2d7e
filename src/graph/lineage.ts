import { type Message, matchKey } from '../message/index.ts'
import type { Cause, Reason } from './cause.ts'
import { HistoryTrie, NO_HISTORY } from './history.ts'
import type { MessageSplice } from './replay-graph.ts'
import { endsLater, type Timeline } from './timeline.ts'

/** Of calls with one and the same output, this many of the latest are weighed against each other. */
const MOST_CANDIDATES = 64
/** How far a context is compared, each way, to tell equal outputs apart. */
const MOST_CONTEXT = 64

/** Where a message of a history comes from. */
interface Origin {
  readonly from: number
  /** `false`: the message follows from the call but is not its output. */
  readonly isOutput: boolean
  readonly reason: (message: number) => Reason
}

/**
 * Finds which earlier calls a call's history comes from: whose input and output it continues (`context`), whose outputs stand
 * in it (`output`), whose tool-call ids it carries (`tool-call-id`).
 *
 * A message entered a history once. So what a place comes from is settled by the first call that carries the same history
 * up to there, and every later one shares the answer: a session pays for its distinct messages, not for repeating them.
 */
export class LineageFinder {
  readonly #timeline: Timeline
  readonly #trie = new HistoryTrie()
  /** Per call, its input as a history. */
  readonly #inputs: number[] = []
  /** Input and output as one history → the calls that made it. */
  readonly #byContext = new Map<number, number[]>()
  readonly #byOutput = new Map<number, number[]>()
  readonly #byToolCall = new Map<string, number[]>()
  readonly #byToolCallId = new Map<string, number[]>()
  readonly #byInput = new Map<number, number>()
  readonly #failedByInput = new Map<number, number>()
  readonly #origins = new Map<number, { readonly message: Message; readonly origin: Origin | undefined }>()

  constructor(timeline: Timeline) {
    this.#timeline = timeline
  }

  /** From now on the call may be a predecessor. */
  ended(rank: number): void {
    const { output, error } = this.#timeline.at(rank)
    const input = this.#inputs[rank] ?? NO_HISTORY
    this.#keepLatest(error === null ? this.#byInput : this.#failedByInput, input, rank)
    if (output === null) return
    // An empty output equals no message, but its tool calls have ids, if it has any.
    if (matchKey(output) !== undefined) {
      append(this.#byContext, this.#trie.extend(input, output), rank)
      append(this.#byOutput, this.#trie.numberOf(output), rank)
    }
    for (const key of toolCallKeys(output)) append(this.#byToolCall, key, rank)
    for (const id of toolCallIds(output)) append(this.#byToolCallId, id, rank)
  }

  /** What the call's messages say about its predecessors. */
  started(rank: number): { causes: Cause[]; splices: MessageSplice[] } {
    const { messages } = this.#timeline.at(rank)
    const found: { readonly place: number; readonly from: number; readonly reason: Reason }[] = []
    const splices: MessageSplice[] = []
    let deepest = -1
    let history = NO_HISTORY
    for (const [place, message] of messages.entries()) {
      const before = history
      history = this.#trie.extend(history, message)
      if (message.role !== 'assistant' && message.role !== 'tool') continue
      const continued = this.#continued(history, message)
      const origin = continued ?? this.#originOf(history, message, messages, place)
      if (continued !== undefined) deepest = found.length
      if (origin !== undefined) found.push({ place, from: origin.from, reason: origin.reason(place) })
      if (origin?.isOutput === true) splices.push({ kind: 'message', message: place, from: this.#timeline.at(origin.from).id })
      const answered = origin === undefined ? this.#byInput.get(before) : undefined
      if (answered !== undefined) {
        deepest = found.length
        found.push({ place, from: answered, reason: { type: 'continued-input', message: place } })
      }
    }
    this.#inputs[rank] = history
    // Only the longest context is the conversation this call goes on with; shorter ones are outputs further up in it.
    const causes = found.flatMap(({ place, from, reason }, index): Cause[] => {
      if (index === deepest) return [{ from, reason }]
      if (reason.type === 'continued-input') return []
      return [{ from, reason: reason.type === 'context' ? { type: 'output', message: place } : reason }]
    })
    const failed = this.#failedByInput.get(history)
    if (failed !== undefined) causes.push({ from: failed, reason: { type: 'retry' } })
    return { causes, splices }
  }

  /** The call whose input and output this history is. */
  #continued(history: number, message: Message): Origin | undefined {
    const candidates = message.role === 'assistant' ? this.#byContext.get(history) : undefined
    if (candidates === undefined) return undefined
    const from = this.#best(candidates, (candidate) => [this.#sharedIds(candidate, message)])
    return from === undefined ? undefined : { from, isOutput: true, reason: (place) => ({ type: 'context', length: place + 1 }) }
  }

  #originOf(history: number, message: Message, messages: readonly Message[], place: number): Origin | undefined {
    const known = this.#origins.get(history)
    // Histories that differ in tool-call ids alone are one number; each has an origin of its own.
    if (known?.message === message) return known.origin
    const origin =
      message.role === 'assistant' ? this.#originOfTurn(message, messages, place) : this.#originOfResult(message, messages, place)
    this.#origins.set(history, { message, origin })
    return origin
  }

  #originOfTurn(turn: Message, messages: readonly Message[], place: number): Origin | undefined {
    const context = (candidate: number) =>
      this.#trie.sharedContext(messages, place, this.#timeline.at(candidate).messages, MOST_CONTEXT)
    const equal = this.#byOutput.get(this.#trie.numberOf(turn)) ?? []
    const same = this.#best(equal, (candidate) => [context(candidate), this.#sharedIds(candidate, turn)])
    if (same !== undefined) return { from: same, isOutput: true, reason: (message) => ({ type: 'output', message }) }

    const keys = [...toolCallKeys(turn)]
    const carrying = keys.flatMap((key) => this.#byToolCall.get(key)?.slice(-MOST_CANDIDATES) ?? [])
    const from = this.#best(carrying, (candidate) => [this.#sharedIds(candidate, turn), context(candidate)])
    if (from === undefined) return undefined
    const shared = toolCallKeys(this.#timeline.at(from).output)
    const id = idOf(keys.find((key) => shared.has(key)) ?? '')
    return { from, isOutput: true, reason: (message) => ({ type: 'tool-call-id', message, id }) }
  }

  /** Where the server keeps the history, a request may bring a tool result without the turn that asked for it. */
  #originOfResult(result: Message, messages: readonly Message[], place: number): Origin | undefined {
    const id = result.parts.find((part) => part.type === 'tool_result')?.id ?? ''
    const candidates = id === '' ? undefined : this.#byToolCallId.get(id)
    if (candidates === undefined) return undefined
    for (let k = place - 1; k >= 0; k--) if (toolCallIds(messages[k]).has(id)) return undefined
    const from = this.#best(candidates, () => [])
    return from === undefined
      ? undefined
      : { from, isOutput: false, reason: (message) => ({ type: 'tool-call-id', message, id }) }
  }

  /** The candidate with the highest scores, the first score counting most; then the one that ended last. */
  #best(candidates: readonly number[], scoresOf: (candidate: number) => readonly number[]): number | undefined {
    if (candidates.length <= 1) return candidates[0]
    let best: { readonly rank: number; readonly scores: readonly number[] } | undefined
    for (const rank of candidates.slice(-MOST_CANDIDATES)) {
      const scores = scoresOf(rank)
      const order = best === undefined ? 1 : compareScores(scores, best.scores)
      if (best === undefined || order > 0 || (order === 0 && endsLater(this.#timeline, rank, best.rank))) best = { rank, scores }
    }
    return best?.rank
  }

  #sharedIds(candidate: number, turn: Message): number {
    const ids = toolCallKeys(this.#timeline.at(candidate).output)
    let shared = 0
    for (const key of toolCallKeys(turn)) if (ids.has(key)) shared++
    return shared
  }

  #keepLatest(map: Map<number, number>, key: number, rank: number): void {
    const known = map.get(key)
    if (known === undefined || endsLater(this.#timeline, rank, known)) map.set(key, rank)
  }
}

function append<Key>(map: Map<Key, number[]>, key: Key, rank: number): void {
  const ranks = map.get(key)
  if (ranks === undefined) map.set(key, [rank])
  else ranks.push(rank)
}

function compareScores(a: readonly number[], b: readonly number[]): number {
  for (const [k, score] of a.entries()) {
    const difference = score - (b[k] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** Ids with the function's name: gateways that number calls from 1 in every conversation make ids alone weak evidence. */
function toolCallKeys(message: Message | null): Set<string> {
  const keys = new Set<string>()
  for (const part of message?.parts ?? []) if (part.type === 'tool_call' && part.id !== '') keys.add(`${part.id}\0${part.name}`)
  return keys
}

function toolCallIds(message: Message | null | undefined): Set<string> {
  return new Set([...toolCallKeys(message ?? null)].map(idOf))
}

function idOf(key: string): string {
  return key.slice(0, key.indexOf('\0'))
}
