import { isJsonObject, type JsonObject, type Message } from '../message/index.ts'
import { findList, type ScannedList, scanEntries, skipSpace } from './json-list-scan.ts'
import { isWide, narrowed } from './narrow-json.ts'
import { findShared, type SharedText, type SharedTexts, textFrom } from './shared-texts.ts'

/** Where requests keep messages one after the other, each readable by itself. */
const KEYS: ReadonlySet<string> = new Set(['messages', 'contents'])

/** Shorter texts are parsed faster than compared. */
const SHORTEST = 2_048

/** How many texts are remembered. Agents that take turns in one file each have a history that grows. */
const REMEMBERED = 16

/** So many entries at the end of a list may be other ones in its continuation, such as an answer among events. */
const MOST_REPLACED = 2

/** The entries of a list up to some point. */
interface Entries extends ScannedList {
  /** Where each entry ends, and how many messages there are up to there. */
  readonly ends: readonly number[]
  readonly counts: readonly number[]
  readonly messages: readonly Message[]
}

interface Known extends Entries {
  readonly text: string
  /** What stands before the list. */
  readonly head: string
}

export interface EmbeddedList {
  /** What was parsed: the text's value, but for entries that were known already. */
  readonly value: unknown
  /** The list in it. */
  readonly list: readonly unknown[]
  /** Of all its entries, also those that were not parsed. */
  readonly messages: readonly Message[]
}

/** What a text begins with that is known, and how it goes on behind it. */
interface Beginning extends Entries {
  readonly head: string
  readonly tail: string
}

/**
 * Reads JSON texts with a list of messages inside: the body of a request. Each call of an agent repeats the history of the one
 * before: where two texts begin alike up to the end of an entry, the messages up to there are taken over, and only what stands
 * before and behind them is parsed.
 *
 * It remembers the texts: let go of it when the file has been read.
 */
export class EmbeddedHistory {
  readonly #texts: readonly SharedTexts[]
  /** Latest first: a text that was read lately is continued next. */
  #known: Known[] = []
  readonly #readTexts = new Map<SharedText, Known>()

  /** @param texts of which is known already how they begin */
  constructor(texts: readonly SharedTexts[] = []) {
    this.#texts = texts
  }

  /**
   * @param read the messages of one entry, whatever its neighbours are
   * @returns `undefined` when there is no such list; then nothing was read
   * @throws {SyntaxError} for broken JSON
   */
  read(text: string, read: (entry: JsonObject) => readonly Message[]): EmbeddedList | undefined {
    if (text.length < SHORTEST) return undefined
    const shared = findShared(this.#texts, text)
    const common = (shared && this.#sharedBeginning(shared)) ?? this.#longestInCommon(text)
    if (common !== undefined) return this.#parse(text, shared, common, read)
    const found = findList(text, KEYS)
    if (found === undefined) return undefined
    const { start } = found
    const beginning = { ...found, ends: [], counts: [], messages: [], head: text.slice(0, start), tail: text.slice(start) }
    return this.#parse(text, shared, beginning, read)
  }

  #parse(
    text: string,
    shared: SharedText | undefined,
    { path, start, head, tail, ...before }: Beginning,
    read: (entry: JsonObject) => readonly Message[],
  ): EmbeddedList | undefined {
    // Behind the comma.
    const next = before.ends.length === 0 ? 0 : skipSpace(tail, 0) + 1
    const shortened = head + tail.slice(next)
    const value: unknown = JSON.parse(isWide(shortened) ? narrowed(shortened) : shortened)
    const list = listAt(value, path)
    const scanned = scanEntries(tail, next)
    // Of several lists under one key, the parser took another one than the scanner.
    if (list === undefined || scanned === undefined || scanned.ends.length !== list.length) return undefined
    if (!list.every(isEntry)) return undefined
    const messages = [...before.messages]
    const counts = [...before.counts]
    for (const entry of list) {
      messages.push(...read(entry))
      counts.push(messages.length)
    }
    const offset = text.length - tail.length
    const ends = [...before.ends, ...scanned.ends.map((end) => offset + end)]
    const known = { path, start, text, head, ends, counts, messages }
    if (shared === undefined) this.#known = [known, ...this.#known.slice(0, REMEMBERED - 1)]
    else this.#readTexts.set(shared, known)
    return { value, list, messages }
  }

  /** Of a text that is known to begin like an earlier one, nothing before its own rest is looked at. */
  #sharedBeginning(shared: SharedText): Beginning | undefined {
    let common = shared.text.length
    for (let base: SharedText | undefined = shared; base !== undefined; base = base.base) {
      const known = this.#readTexts.get(base)
      if (known !== undefined) {
        return beginning(known, known.ends.findLastIndex((end) => end <= common) + 1, (end) => textFrom(shared, end))
      }
      common = Math.min(common, base.common)
    }
    return undefined
  }

  #longestInCommon(text: string): Beginning | undefined {
    let longest: Beginning | undefined
    for (const known of this.#known) {
      const common = inCommon(known, text)
      const end = common?.ends.at(-1) ?? 0
      if (end > (longest?.ends.at(-1) ?? 0)) longest = common
      // Good enough: in a conversation, the call before is the longest.
      if (end > text.length / 2) break
    }
    return longest
  }
}

/** What a text repeats of a known one, up to the end of an entry. */
function inCommon(known: Known, text: string): Beginning | undefined {
  const { ends } = known
  for (let kept = ends.length; kept > 0 && kept >= ends.length - MOST_REPLACED; kept--) {
    const end = ends[kept - 1] ?? 0
    // A slice costs nothing and equality is a memory comparison.
    if (text.slice(0, end) === known.text.slice(0, end)) return beginning(known, kept, () => text.slice(end))
  }
  return undefined
}

/**
 * The first entries of a known list, at most so many.
 *
 * @param tailFrom how the text goes on behind the last of them
 */
function beginning(known: Known, most: number, tailFrom: (end: number) => string): Beginning | undefined {
  const { path, start, head, ends, counts, messages } = known
  for (let kept = most; kept > 0 && kept >= most - 1; kept--) {
    const tail = tailFrom(ends[kept - 1] ?? 0)
    if (!goesOn(tail)) continue
    return {
      path,
      start,
      head,
      tail,
      ends: ends.slice(0, kept),
      counts: counts.slice(0, kept),
      messages: messages.slice(0, counts[kept - 1]),
    }
  }
  return undefined
}

/** `[1` followed by `2]` is another list, `[1,]` is none, and of a list without more the last entry is read again. */
function goesOn(tail: string): boolean {
  const next = skipSpace(tail, 0)
  return tail[next] === ',' && tail[skipSpace(tail, next + 1)] !== ']'
}

function listAt(value: unknown, path: readonly string[]): readonly unknown[] | undefined {
  let inner = value
  for (const key of path) inner = isContainer(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined
  return Array.isArray(inner) ? inner : undefined
}

function isContainer(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null
}

/** Texts and blocks without a message around them are joined with their neighbours: such lists are read as a whole. */
function isEntry(entry: unknown): entry is JsonObject {
  if (!isJsonObject(entry)) return false
  return (
    typeof entry.role === 'string' ||
    typeof entry['event.name'] === 'string' ||
    (isJsonObject(entry.kwargs) && Array.isArray(entry.id))
  )
}
