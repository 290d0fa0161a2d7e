import { isJsonObject, type JsonObject, type Message } from '../message/index.ts'
import { findList, type ScannedList, scanEntries, skipSpace } from './json-list-scan.ts'
import { isWide, narrowed } from './narrow-json.ts'

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
}

export interface EmbeddedList {
  /** What was parsed: the text's value, but for entries that were known already. */
  readonly value: unknown
  /** The list in it. */
  readonly list: readonly unknown[]
  /** Of all its entries, also those that were not parsed. */
  readonly messages: readonly Message[]
}

/**
 * Reads JSON texts with a list of messages inside: the body of a request. Each call of an agent repeats the history of the one
 * before: where two texts begin alike up to the end of an entry, the messages up to there are taken over, and only what stands
 * before and behind them is parsed.
 *
 * It remembers the texts: let go of it when the file has been read.
 */
export class EmbeddedHistory {
  /** Latest first: a text that was read lately is continued next. */
  #known: Known[] = []

  /**
   * @param read the messages of one entry, whatever its neighbours are
   * @returns `undefined` when there is no such list; then nothing was read
   * @throws {SyntaxError} for broken JSON
   */
  read(text: string, read: (entry: JsonObject) => readonly Message[]): EmbeddedList | undefined {
    if (text.length < SHORTEST) return undefined
    const common = this.#longestInCommon(text)
    if (common !== undefined) return this.#parse(text, common, read)
    const found = findList(text, KEYS)
    return found && this.#parse(text, { ...found, ends: [], counts: [], messages: [] }, read)
  }

  /** @param before what is known of the list already */
  #parse(text: string, before: Entries, read: (entry: JsonObject) => readonly Message[]): EmbeddedList | undefined {
    const { start, path } = before
    const next = behindEntries(text, before)
    const shortened = next === start ? text : text.slice(0, start) + text.slice(next)
    const value: unknown = JSON.parse(isWide(shortened) ? narrowed(shortened) : shortened)
    const list = listAt(value, path)
    const scanned = scanEntries(text, next)
    // Of several lists under one key, the parser took another one than the scanner.
    if (list === undefined || scanned === undefined || scanned.ends.length !== list.length) return undefined
    if (!list.every(isEntry)) return undefined
    const messages = [...before.messages]
    const counts = [...before.counts]
    for (const entry of list) {
      messages.push(...read(entry))
      counts.push(messages.length)
    }
    const known = { path, start, text, ends: [...before.ends, ...scanned.ends], counts, messages }
    this.#known = [known, ...this.#known.slice(0, REMEMBERED - 1)]
    return { value, list, messages }
  }

  #longestInCommon(text: string): Entries | undefined {
    let longest: Entries | undefined
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
function inCommon(known: Known, text: string): Entries | undefined {
  const { path, start, ends, counts, messages } = known
  for (let kept = ends.length; kept > 0 && kept >= ends.length - MOST_REPLACED; kept--) {
    const end = ends[kept - 1] ?? 0
    // A slice costs nothing and equality is a memory comparison.
    if (text.slice(0, end) !== known.text.slice(0, end) || !goesOn(text, end)) continue
    return {
      path,
      start,
      ends: ends.slice(0, kept),
      counts: counts.slice(0, kept),
      messages: messages.slice(0, counts[kept - 1]),
    }
  }
  return undefined
}

/** `[1` followed by `2]` is another list, `[1,]` is none, and of a list without more the last entry is read again. */
function goesOn(text: string, end: number): boolean {
  const next = skipSpace(text, end)
  return text[next] === ',' && text[skipSpace(text, next + 1)] !== ']'
}

/** Where the list goes on behind the entries that are known. */
function behindEntries(text: string, { start, ends }: Entries): number {
  const end = ends.at(-1)
  // Behind the comma.
  return end === undefined ? start : skipSpace(text, end) + 1
}

function listAt(value: unknown, path: readonly string[]): readonly unknown[] | undefined {
  let inner = value
  for (const key of path) inner = isJsonObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined
  return Array.isArray(inner) ? inner : undefined
}

/** Texts and blocks without a message around them are joined with their neighbours: such lists are read as a whole. */
function isEntry(entry: unknown): entry is JsonObject {
  return isJsonObject(entry) && (typeof entry.role === 'string' || typeof entry['event.name'] === 'string')
}
