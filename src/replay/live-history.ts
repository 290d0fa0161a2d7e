import type { GraphNode, MessageSplice, Splice, TextSplice } from '../graph/index.ts'
import { type Message, type Part, readdressMessage, type ToolCallPart } from '../message/index.ts'
import { finalText, type LiveOutput, liveOutput, withoutReasoning } from './live-output.ts'
import { markedInput } from './marked-input.ts'
import { type PairedCall, pairToolResults, toolCallsOf } from './tool-pairing.ts'
import { Variants } from './variants.ts'

/** A call's input as it goes on the wire. */
export interface LiveInput {
  readonly messages: readonly Message[]
  /** Places that were to take a live output. */
  readonly splices: readonly Splice[]
  /** Places where the recorded turn stood in, because the live model strayed. */
  readonly strayed: ReadonlySet<Splice>
  /** How many took one, and how many did not. */
  readonly live: number
  readonly diverged: number
  /** Recorded tool calls without a result, and results without a call, that had to be turned into text. */
  readonly repaired: number
}

/**
 * One session's live outputs, and the inputs that follow from them.
 *
 * Every input it gives is sound for a strict server: each tool call is followed by its result and each result answers a
 * call. Where the live turn cannot be reconciled with the recorded results, the recorded turn stands in.
 *
 * Equal inputs give identical message objects, so that the endpoint encodes each message once for all requests that carry it.
 */
export class LiveHistory {
  readonly #outputs = new Map<string, LiveOutput>()
  readonly #usedIds = new Set<string>()
  readonly #variants = new Variants()
  readonly #marker: string

  /** @param marker stands at the head of every input */
  constructor(marker = '') {
    this.#marker = marker
  }

  /** Takes the model's answer to a call. With `usable: false` the recorded turn stands in for it wherever it would go. */
  record(callId: string, message: Message, { usable }: { readonly usable: boolean }): void {
    this.#outputs.set(callId, liveOutput(message, usable, this.#usedIds))
  }

  inputFor(node: GraphNode): LiveInput {
    const recorded = markedInput(node, this.#marker, this.#variants)
    const { splices } = recorded
    const pairing = pairToolResults(recorded.messages)
    const messages = [...recorded.messages]
    const strayed = new Set<Splice>()
    let repaired = 0
    for (const index of pairing.orphans) {
      repaired++
      this.#replace(messages, index, 'user', asUserText)
    }
    const adopted = new Set<number>()
    for (const splice of splices) {
      if (splice.kind !== 'message') continue
      if (this.#adopt(messages, splice, pairing.turns.get(splice.message) ?? [])) {
        adopted.add(splice.message)
      } else strayed.add(splice)
    }
    for (const [index, calls] of pairing.turns) {
      if (adopted.has(index)) continue
      repaired += this.#soundRecordedTurn(messages, index, calls)
    }
    for (const splice of splices) {
      if (splice.kind === 'text' && this.#textFor(splice) === '') strayed.add(splice)
    }
    this.#handOn(messages, splices)
    return {
      messages,
      splices,
      strayed,
      live: splices.length - strayed.size,
      diverged: strayed.size,
      repaired,
    }
  }

  /** Puts the live turn in place and addresses the recorded results to its calls; `false` when they do not fit. */
  #adopt(messages: Message[], splice: MessageSplice, recordedCalls: readonly PairedCall[]): boolean {
    const output = this.#outputs.get(splice.from)
    const recordedTurn = messages[splice.message]
    if (output === undefined || !output.usable || recordedTurn === undefined) return false
    const match = matchCalls(toolCallsOf(output.message), recordedCalls)
    if (match === undefined) return false
    const keepsReasoning = recordedTurn.parts.some((part) => part.type === 'reasoning')
    const turn = keepsReasoning ? output.message : this.#spoken(output.message)
    if (turn.parts.length === 0) return false
    for (const { result, id } of match.answered)
      this.#replace(messages, result, `to ${id}`, (message) => readdressMessage(message, id))
    messages[splice.message] = match.unanswered.size === 0 ? turn : this.#withCallsAsText(turn, match.unanswered)
    return true
  }

  /** A recorded turn that stays: calls nobody answered become text, and results carry the ids of their calls. */
  #soundRecordedTurn(messages: Message[], index: number, calls: readonly PairedCall[]): number {
    const unanswered = new Set<number>()
    calls.forEach(({ call, result }, k) => {
      if (result === undefined) unanswered.add(k)
      else if (call.id !== '') this.#replace(messages, result, `to ${call.id}`, (message) => readdressMessage(message, call.id))
    })
    const turn = messages[index]
    if (unanswered.size > 0 && turn !== undefined) messages[index] = this.#withCallsAsText(turn, unanswered)
    if (calls.some(({ call, result }) => result !== undefined && call.id === '')) this.#nameCalls(messages, index, calls)
    return unanswered.size
  }

  /** Gives recorded calls without an id one that their results share. */
  #nameCalls(messages: Message[], index: number, calls: readonly PairedCall[]): void {
    const ids = calls.map(({ call }, k) => (call.id === '' ? `call_${index}_${k}` : call.id))
    this.#replace(messages, index, `ids ${ids.join(' ')}`, (turn) => withIds(turn, calls, ids))
    calls.forEach(({ result }, k) => {
      const id = ids[k]
      if (result !== undefined && id !== undefined)
        this.#replace(messages, result, `to ${id}`, (message) => readdressMessage(message, id))
    })
  }

  #withCallsAsText(turn: Message, which: ReadonlySet<number>): Message {
    return this.#variants.of(turn, `text ${[...which].join(' ')}`, () => callsAsText(turn, which))
  }

  #spoken(turn: Message): Message {
    if (!turn.parts.some((part) => part.type === 'reasoning')) return turn
    return this.#variants.of(turn, 'spoken', () => withoutReasoning(turn))
  }

  /** `''` where there is nothing to hand on. */
  #textFor({ from }: TextSplice): string {
    const output = this.#outputs.get(from)
    return output?.usable === true ? finalText(output.message) : ''
  }

  #handOn(messages: Message[], splices: readonly Splice[]): void {
    // From the back, so that the offsets of earlier stretches stay true.
    const stretches = splices.filter((splice) => splice.kind === 'text').sort((a, b) => b.start - a.start)
    for (const splice of stretches) {
      const handedOn = this.#textFor(splice)
      if (handedOn === '') continue
      const text = splice.escaped ? JSON.stringify(handedOn).slice(1, -1) : handedOn
      const key = `hand-off ${splice.from} ${splice.part} ${splice.start}`
      this.#replace(messages, splice.message, key, (message) => replaceText(message, splice, text))
    }
  }

  #replace(messages: Message[], index: number, key: string, make: (message: Message) => Message): void {
    const message = messages[index]
    if (message !== undefined) messages[index] = this.#variants.of(message, key, () => make(message))
  }
}

interface CallMatch {
  readonly answered: readonly { readonly result: number; readonly id: string }[]
  /** Positions of live calls whose recorded twins nobody answered. */
  readonly unanswered: ReadonlySet<number>
}

/** Pairs live calls with recorded ones by function name, first unused first; both sides must come out even. */
function matchCalls(live: readonly ToolCallPart[], recorded: readonly PairedCall[]): CallMatch | undefined {
  if (live.length !== recorded.length) return undefined
  const unused = new Set(live.keys())
  const answered: { result: number; id: string }[] = []
  const unanswered = new Set<number>()
  // Answered calls choose first: a result must never be left without its call.
  for (const { call, result } of [...recorded].sort((a, b) => Number(a.result === undefined) - Number(b.result === undefined))) {
    const k = [...unused].find((index) => live[index]?.name === call.name)
    const twin = k === undefined ? undefined : live[k]
    if (k === undefined || twin === undefined) return undefined
    unused.delete(k)
    if (result === undefined) unanswered.add(k)
    else answered.push({ result, id: twin.id })
  }
  return { answered, unanswered }
}

function asUserText(message: Message): Message {
  const parts = message.parts.map((part): Part => (part.type === 'tool_result' ? { type: 'text', text: part.content } : part))
  return { role: 'user', parts }
}

function callsAsText(turn: Message, which: ReadonlySet<number>): Message {
  let k = -1
  const parts = turn.parts.map((part): Part => {
    if (part.type !== 'tool_call') return part
    k++
    return which.has(k) ? { type: 'text', text: `${part.name}(${part.arguments})` } : part
  })
  return { role: turn.role, parts }
}

/** Recorded calls are matched by identity of their parts, so that turns already changed keep their other parts. */
function withIds(turn: Message, calls: readonly PairedCall[], ids: readonly string[]): Message {
  const parts = turn.parts.map((part): Part => {
    const k = calls.findIndex(({ call }) => call === part)
    const id = ids[k]
    return part.type === 'tool_call' && id !== undefined ? { ...part, id } : part
  })
  return { role: turn.role, parts }
}

function replaceText(message: Message, splice: TextSplice, text: string): Message {
  const parts = message.parts.map((part, index): Part => {
    if (index !== splice.part) return part
    if (part.type === 'text') return { ...part, text: put(part.text, splice, text) }
    if (part.type === 'tool_result') return { ...part, content: put(part.content, splice, text) }
    return part
  })
  return { role: message.role, parts }
}

function put(into: string, { start, end }: TextSplice, text: string): string {
  return into.slice(0, start) + text + into.slice(end)
}
