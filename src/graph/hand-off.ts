import type { Message, Part } from '../message/index.ts'
import type { Cause, HandOffForm } from './cause.ts'
import { jsonForms, quotedStrings } from './json-text.ts'
import type { TextSplice } from './replay-graph.ts'
import { TextSearch, WINDOW_LENGTH } from './text-search.ts'
import { endsLater, type Timeline } from './timeline.ts'

/** A whole part must be this long to count: "yes", "ok", "done" and "success" are said by everyone. */
const SHORTEST_PART = 8
/** A whole string inside a JSON part, or a tool call's argument, must be this long: keys and states are short words. */
const SHORTEST_JSON_STRING = 16

/** A text an earlier call left behind, and who left it. */
interface Source {
  readonly text: string
  /** What the text becomes inside a JSON string, where that is not the text itself. */
  readonly forms: readonly string[]
  from: number
  /** More than one call ended with this text. */
  ambiguous: boolean
}

/** A stretch of a message that is an earlier call's final text. */
interface Stretch {
  readonly from: number
  readonly part: number
  readonly start: number
  readonly end: number
  readonly escaped: boolean
  readonly as: HandOffForm
}

interface Findings {
  readonly stretches: readonly Stretch[]
  readonly argument: { readonly from: number; readonly tool: string } | undefined
}

/**
 * Finds texts handed from call to call outside a history: a sub-agent's answer in a tool result, a summary in a user message.
 *
 * - A predecessor's *final text* is its output's text, trimmed. It is recognised as a whole part of a tool or user message
 *   (8 characters or more), as a whole string of a part that is JSON (16 or more), or anywhere inside a part (64 or more), as
 *   it is or escaped as in a JSON string. Below 64 characters it counts only if no other call has ended with the same text.
 * - A user message that is, whole, a string argument of a predecessor's tool call is the task of a sub-agent: an edge
 *   without a splice.
 *
 * Each distinct message is searched once, at the first call that carries it: what has not ended by then cannot be its source.
 */
export class HandOffFinder {
  readonly #timeline: Timeline
  readonly #finalTexts = new Map<string, Source>()
  /** What is searched for inside parts: a final text, or the form it has inside a JSON string → the final text. */
  readonly #patterns = new Map<string, Source>()
  readonly #search = new TextSearch()
  readonly #arguments = new Map<string, { from: number; tool: string }>()
  readonly #known = new Map<Message, Findings | undefined>()

  constructor(timeline: Timeline) {
    this.#timeline = timeline
  }

  ended(rank: number): void {
    const parts = this.#timeline.at(rank).output?.parts ?? []
    const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
    this.#addFinalText(text.trim(), rank)
    for (const part of parts) {
      if (part.type !== 'tool_call') continue
      for (const argument of stringArguments(part.arguments)) {
        if (argument.length >= SHORTEST_JSON_STRING) this.#arguments.set(argument, { from: rank, tool: part.name })
      }
    }
  }

  started(rank: number): { causes: Cause[]; splices: TextSplice[] } {
    const causes: Cause[] = []
    const splices: TextSplice[] = []
    for (const [index, message] of this.#timeline.at(rank).messages.entries()) {
      if (message.role !== 'user' && message.role !== 'tool') continue
      const findings = this.#findingsIn(message)
      if (findings === undefined) continue
      for (const { from, part, start, end, escaped, as } of findings.stretches) {
        causes.push({ from, reason: { type: 'hand-off', message: index, characters: end - start, as } })
        splices.push({ kind: 'text', message: index, part, start, end, escaped, from: this.#timeline.at(from).id })
      }
      if (findings.argument !== undefined) {
        const { from, tool } = findings.argument
        causes.push({ from, reason: { type: 'argument', message: index, tool } })
      }
    }
    return { causes, splices }
  }

  #addFinalText(text: string, rank: number): void {
    if (text.length < SHORTEST_PART) return
    const known = this.#finalTexts.get(text)
    if (known !== undefined) {
      known.ambiguous = true
      if (endsLater(this.#timeline, rank, known.from)) known.from = rank
      return
    }
    const source: Source = { text, forms: text.length < WINDOW_LENGTH ? [] : jsonForms(text), from: rank, ambiguous: false }
    this.#finalTexts.set(text, source)
    if (text.length < WINDOW_LENGTH) return
    for (const form of [text, ...source.forms]) {
      // A text that stands for itself comes before one that another has when escaped.
      if (form === text || !this.#patterns.has(form)) this.#patterns.set(form, source)
      this.#search.add(form)
    }
  }

  #findingsIn(message: Message): Findings | undefined {
    if (this.#known.has(message)) return this.#known.get(message)
    const stretches = message.parts.flatMap((part, index) => this.#stretchesIn(textOf(part), index))
    const argument = message.role === 'user' ? this.#argumentIn(message) : undefined
    const findings = stretches.length === 0 && argument === undefined ? undefined : { stretches, argument }
    this.#known.set(message, findings)
    return findings
  }

  #argumentIn(message: Message): Findings['argument'] {
    for (const part of message.parts) {
      const argument = part.type === 'text' ? this.#arguments.get(part.text.trim()) : undefined
      if (argument !== undefined) return { ...argument }
    }
    return undefined
  }

  #stretchesIn(text: string, part: number): Stretch[] {
    const whole = this.#finalTexts.get(text.trim())
    if (whole !== undefined && isTelling(whole)) {
      const start = text.length - text.trimStart().length
      return [stretch(whole, part, start, start + whole.text.length, { escaped: false, as: 'part' })]
    }
    const occurrences = this.#search.find(text)
    const strings = this.#jsonStringsIn(text, part)
    if (occurrences.length === 0 && strings.length === 0) return []
    const json = isJson(text)
    const inside = occurrences.flatMap(({ pattern, start, end }): Stretch[] => {
      const source = this.#patterns.get(pattern)
      if (source === undefined) return []
      // A text that JSON would not change may stand inside a JSON string all the same.
      const escaped = pattern !== source.text || (source.forms.length === 0 && json)
      return [stretch(source, part, start, end, { escaped, as: 'stretch' })]
    })
    return [...inside, ...apartFrom(inside, json ? strings : [])].sort((a, b) => a.start - b.start)
  }

  /** Strings that are, whole, a final text: the short ones, and those with unusual escapes, are not found by searching. */
  #jsonStringsIn(text: string, part: number): Stretch[] {
    if (this.#finalTexts.size === 0 || !startsLikeJson(text)) return []
    const found: Stretch[] = []
    for (const { value, start, end } of quotedStrings(text)) {
      const trimmed = value.trim()
      const source = trimmed.length >= SHORTEST_JSON_STRING ? this.#finalTexts.get(trimmed) : undefined
      if (source !== undefined && isTelling(source))
        found.push(stretch(source, part, start, end, { escaped: true, as: 'json-string' }))
    }
    return found
  }
}

function stretch(source: Source, part: number, start: number, end: number, how: { escaped: boolean; as: HandOffForm }): Stretch {
  return { from: source.from, part, start, end, ...how }
}

/** Both lists are in order and free of overlaps within themselves. */
function apartFrom(taken: readonly Stretch[], stretches: readonly Stretch[]): Stretch[] {
  let next = 0
  return stretches.filter(({ start, end }) => {
    while ((taken[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next++
    return (taken[next]?.start ?? Number.POSITIVE_INFINITY) >= end
  })
}

function isTelling(source: Source): boolean {
  return source.text.length >= WINDOW_LENGTH || !source.ambiguous
}

function textOf(part: Part): string {
  return part.type === 'text' ? part.text : part.type === 'tool_result' ? part.content : ''
}

function startsLikeJson(text: string): boolean {
  return /^\s*["[{]/.test(text)
}

function isJson(text: string): boolean {
  if (!startsLikeJson(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The strings at the top of a tool call's arguments. */
function stringArguments(text: string): string[] {
  if (!startsLikeJson(text)) return []
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return []
    return Object.values(value).flatMap((field: unknown) => (typeof field === 'string' ? [field.trim()] : []))
  } catch {
    return []
  }
}
