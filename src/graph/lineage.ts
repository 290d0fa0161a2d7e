import { type Message, matchKey } from '../message/index.ts'
import type { Cause, Reason } from './cause.ts'
import { HistoryTrie, NO_HISTORY, sharedContext } from './history.ts'
import type { MessageSplice } from './replay-graph.ts'
import { endsLater, type Timeline } from './timeline.ts'

/** Of calls with one and the same output, this many of the latest are weighed against each other. */
const MOST_CANDIDATES = 32
/** How far a context is compared, each way, to tell equal outputs apart. */
const MOST_CONTEXT = 32

/** A call's input in numbers of the trie. */
interface Input {
  readonly messages: readonly number[]
  readonly history: number
  /** The history less its system messages: prompts that carry the time of day are new in every call. */
  readonly dialogue: number
}

/** A place in a call's input. */
interface Place {
  readonly index: number
  readonly message: Message
  readonly input: readonly number[]
  /** Up to the place, with it. */
  readonly history: number
  readonly dialogue: number
  readonly messages: readonly Message[]
}

/** Where a message of a history comes from. */
interface Origin {
  readonly from: number
  /** `false`: the message follows from the call but is not its output. */
  readonly isOutput: boolean
  readonly reason: (index: number) => Reason
}

/**
 * Finds which earlier calls a call's history comes from: whose input and output it continues (`context`), whose outputs stand
 * in it (`output`), whose tool-call ids it carries (`tool-call-id`).
 *
 * A message entered a history once. So what a place comes from is settled by the first call that carries the same dialogue
 * up to there, and every later one shares the answer: a session pays for its distinct messages, not for repeating them.
 */
export class LineageFinder {
  readonly #timeline: Timeline
  readonly #trie = new HistoryTrie()
  readonly #inputs: Input[] = []
  /** Input and output as one history → the calls that made it. */
  readonly #byHistory = new Map<number, number[]>()
  readonly #byDialogue = new Map<number, number[]>()
  readonly #byOutput = new Map<number, number[]>()
  readonly #byToolCall = new Map<string, number[]>()
  readonly #byToolCallId = new Map<string, number[]>()
  readonly #byInput = new Map<number, number>()
  readonly #failedByInput = new Map<number, number>()
  readonly #origins = new Map<number, { readonly message: Message; readonly origin: Origin | undefined }>()

  /** The splice made last with a call's output. */
  readonly #splices = new Map<number, MessageSplice>()

  constructor(timeline: Timeline) {
    this.#timeline = timeline
  }

  /** From now on the call may be a predecessor. */
  ended(rank: number): void {
    const { output, error } = this.#timeline.at(rank)
    const input = this.#inputOf(rank)
    this.#keepLatest(error === null ? this.#byInput : this.#failedByInput, input.history, rank)
    if (output === null) return
    // An empty output equals no message.
    if (matchKey(output) !== undefined) {
      const number = this.#trie.numberOf(output)
      append(this.#byHistory, this.#trie.extend(input.history, number), rank)
      append(this.#byDialogue, this.#trie.extend(input.dialogue, number), rank)
      append(this.#byOutput, number, rank)
    }
    for (const key of toolCallKeys(output)) append(this.#byToolCall, key, rank)
    for (const id of toolCallIds(output)) append(this.#byToolCallId, id, rank)
  }

  /** What the call's messages say about its predecessors. */
  started(rank: number): { causes: Cause[]; splices: MessageSplice[] } {
    const { messages } = this.#timeline.at(rank)
    const found: { readonly place: number; readonly from: number; readonly reason: Reason }[] = []
    const splices: MessageSplice[] = []
    const input: number[] = []
    let deepest = -1
    let history = NO_HISTORY
    let dialogue = NO_HISTORY
    for (const [index, message] of messages.entries()) {
      const number = this.#trie.numberOf(message)
      const before = history
      history = this.#trie.extend(history, number)
      if (message.role !== 'system') dialogue = before === dialogue ? history : this.#trie.extend(dialogue, number)
      input.push(number)
      if (message.role !== 'assistant' && message.role !== 'tool') continue
      const place: Place = { index, message, input, history, dialogue, messages }
      const continued = this.#continued(place)
      const origin = continued ?? this.#originOf(place)
      if (continued !== undefined) deepest = found.length
      if (origin !== undefined) found.push({ place: index, from: origin.from, reason: origin.reason(index) })
      if (origin?.isOutput === true) splices.push(this.#splice(origin.from, index))
      const answered = origin === undefined ? this.#byInput.get(before) : undefined
      if (answered !== undefined) {
        deepest = found.length
        found.push({ place: index, from: answered, reason: { type: 'continued-input', message: index } })
      }
    }
    this.#inputs[rank] = { messages: input, history, dialogue }
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

  /** Calls that go on with one history have an output in one place: they share the splice. */
  #splice(from: number, message: number): MessageSplice {
    const known = this.#splices.get(from)
    if (known?.message === message) return known
    const splice: MessageSplice = { kind: 'message', message, from: this.#timeline.at(from).id }
    this.#splices.set(from, splice)
    return splice
  }

  /** The call whose input and output the history up to a place is. */
  #continued({ message, history }: Place): Origin | undefined {
    const candidates = message.role === 'assistant' ? this.#byHistory.get(history) : undefined
    const from = this.#best(candidates ?? [], (candidate) => [this.#sharedIds(candidate, message)])
    if (from === undefined) return undefined
    return { from, isOutput: true, reason: (index) => ({ type: 'context', length: index + 1 }) }
  }

  #originOf(place: Place): Origin | undefined {
    const known = this.#origins.get(place.dialogue)
    // Dialogues that differ in tool-call ids alone are one number; each has an origin of its own.
    if (known?.message === place.message) return known.origin
    const { message } = place
    const origin =
      message.role === 'tool' ? this.#originOfResult(place) : (this.#originOfEqual(place) ?? this.#originByIds(place))
    this.#origins.set(place.dialogue, { message, origin })
    return origin
  }

  #originOfEqual({ message, dialogue, input, index }: Place): Origin | undefined {
    const candidates = this.#byDialogue.get(dialogue) ?? this.#byOutput.get(this.#trie.numberOf(message)) ?? []
    const from = this.#best(candidates, (candidate) => [
      sharedContext(input, index, this.#inputOf(candidate).messages, MOST_CONTEXT),
      this.#sharedIds(candidate, message),
    ])
    return from === undefined ? undefined : { from, isOutput: true, reason: (at) => ({ type: 'output', message: at }) }
  }

  #originByIds({ message, input, index }: Place): Origin | undefined {
    const keys = [...toolCallKeys(message)]
    const candidates = keys.flatMap((key) => this.#byToolCall.get(key)?.slice(-MOST_CANDIDATES) ?? [])
    const from = this.#best(candidates, (candidate) => [
      this.#sharedIds(candidate, message),
      sharedContext(input, index, this.#inputOf(candidate).messages, MOST_CONTEXT),
    ])
    if (from === undefined) return undefined
    const shared = toolCallKeys(this.#timeline.at(from).output)
    const id = idOf(keys.find((key) => shared.has(key)) ?? '')
    return { from, isOutput: true, reason: (at) => ({ type: 'tool-call-id', message: at, id }) }
  }

  /** Where the server keeps the history, a request may bring a tool result without the turn that asked for it. */
  #originOfResult({ message, messages, index }: Place): Origin | undefined {
    const id = message.parts.find((part) => part.type === 'tool_result')?.id ?? ''
    const candidates = id === '' ? undefined : this.#byToolCallId.get(id)
    if (candidates === undefined) return undefined
    for (let k = index - 1; k >= 0; k--) if (toolCallIds(messages[k]).has(id)) return undefined
    const from = this.#best(candidates, () => [])
    return from === undefined ? undefined : { from, isOutput: false, reason: (at) => ({ type: 'tool-call-id', message: at, id }) }
  }

  #inputOf(rank: number): Input {
    return this.#inputs[rank] ?? { messages: [], history: NO_HISTORY, dialogue: NO_HISTORY }
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
