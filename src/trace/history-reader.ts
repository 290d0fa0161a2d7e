import type { Message } from '../message/index.ts'
import { isWide, narrowed } from './narrow-json.ts'
import { findShared, type SharedText, type SharedTexts, textFrom } from './shared-texts.ts'

/** How many lists are remembered. Agents that take turns in one file each have a list that grows. */
const REMEMBERED = 32

interface Known {
  /** The JSON text of a list without its closing bracket: how the text of every continuation begins. */
  readonly opening: string
  readonly messages: readonly Message[]
  /** The text has, up to here, a character beyond Latin-1. */
  readonly wide: boolean
  continued: boolean
}

/**
 * Reads JSON lists of messages. Each call of an agent repeats the history of the one before as text: where a list begins with a
 * list already read, its messages are taken over and only the rest is parsed. So a session costs what it says, not what it
 * repeats.
 *
 * It remembers the texts: let go of it when the file has been read.
 */
export class HistoryReader {
  /** Oldest first. */
  readonly #known = new Set<Known>()
  readonly #texts: readonly SharedTexts[]
  readonly #readTexts = new Map<SharedText, readonly Message[]>()

  /** @param texts of which is known already how they begin */
  constructor(texts: readonly SharedTexts[] = []) {
    this.#texts = texts
  }

  /**
   * @param parse reads a list, throws on broken JSON. Each message must be read without regard to those before it.
   */
  read(text: string, parse: (list: string) => readonly Message[]): readonly Message[] {
    const shared = findShared(this.#texts, text)
    if (shared === undefined) return this.#readText(text, parse)
    const known = this.#readTexts.get(shared)
    if (known !== undefined) return known
    const before = this.#before(shared)
    const { rest } = shared
    const messages = (before && goOn(before, rest, isWide(rest), parse)) ?? this.#readText(text, parse)
    this.#readTexts.set(shared, messages)
    return messages
  }

  /** The messages of the list that a text begins with, all but its closing bracket. */
  #before({ base, common }: SharedText): readonly Message[] | undefined {
    const messages = base && this.#readTexts.get(base)
    return messages !== undefined && base !== undefined && textFrom(base, common).trim() === ']' ? messages : undefined
  }

  #readText(text: string, parse: (list: string) => readonly Message[]): readonly Message[] {
    const known = this.#longestOpeningOf(text)
    const rest = known === undefined ? text : text.slice(known.opening.length)
    const wide = known?.wide === true || isWide(rest)
    const continued = known && goOn(known.messages, rest, wide, parse)
    if (known !== undefined && continued !== undefined) known.continued = true
    const messages = continued ?? parse(wide ? narrowed(text) : text)
    if (messages !== known?.messages) this.#remember(text, messages, wide)
    return messages
  }

  #longestOpeningOf(text: string): Known | undefined {
    // Longest first: of a list that grew, only the last state is compared at full length.
    const candidates = [...this.#known].sort((a, b) => b.opening.length - a.opening.length)
    return candidates.find(({ opening }) => beginsWith(text, opening))
  }

  #remember(text: string, messages: readonly Message[], wide: boolean): void {
    const closing = text.lastIndexOf(']')
    if (closing <= 0 || messages.length === 0) return
    if (this.#known.size >= REMEMBERED) this.#forgetOne()
    this.#known.add({ opening: text.slice(0, closing).trimEnd(), messages, wide, continued: false })
  }

  /** A list that was continued goes first: its continuation stands for it, unless another branch starts from it. */
  #forgetOne(): void {
    const [oldest] = this.#known
    const gone = [...this.#known].find((known) => known.continued) ?? oldest
    if (gone !== undefined) this.#known.delete(gone)
  }
}

/** A slice costs nothing and equality is a memory comparison, several times faster than `startsWith`. */
function beginsWith(text: string, opening: string): boolean {
  return text.length > opening.length && text.slice(0, opening.length) === opening
}

/**
 * @param rest what stands in place of the closing bracket behind what was read before
 * @returns `undefined` when that does not make a list
 */
function goOn(
  before: readonly Message[],
  rest: string,
  wide: boolean,
  parse: (list: string) => readonly Message[],
): readonly Message[] | undefined {
  const more = rest.trim()
  if (more === ']') return before
  // `[1` followed by `2]` is another list, and `[1,]` is none.
  if (!/^,\s*[^\s\]]/.test(more)) return undefined
  const list = `[${more.slice(1)}`
  try {
    return [...before, ...parse(wide ? narrowed(list) : list)]
  } catch {
    // Broken: the whole text tells where.
    return undefined
  }
}
