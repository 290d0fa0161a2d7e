/** A long text of a document, and how it goes on from another one. */
export interface SharedText {
  /** A string that the engine holds as a tree of pieces for as long as nobody looks inside. */
  readonly text: string
  /** An earlier text that this one begins like. */
  readonly base?: SharedText
  /** So many characters of `base` it begins with. */
  readonly common: number
  /** And so it goes on. */
  readonly rest: string
}

/** A shared text from a place on, without putting together what stands before. */
export function textFrom(shared: SharedText, from: number): string {
  const pieces: string[] = []
  let end = shared.text.length
  for (let part: SharedText | undefined = shared; part !== undefined && end > from; part = part.base) {
    if (end > part.common) pieces.push(part.rest.slice(Math.max(0, from - part.common), end - part.common))
    end = Math.min(end, part.common)
  }
  return pieces.reverse().join('')
}

/** How a shared text begins, at most so many characters. */
export function beginningOf(shared: SharedText, length: number): string {
  let first = shared
  while (first.base !== undefined && first.common >= length) first = first.base
  return first.base === undefined ? first.rest.slice(0, length) : first.text.slice(0, length)
}

/** The long texts of one document. */
export class SharedTexts {
  readonly #byLength = new Map<number, SharedText[]>()

  add(text: SharedText): void {
    const others = this.#byLength.get(text.text.length)
    if (others === undefined) this.#byLength.set(text.text.length, [text])
    else others.push(text)
  }

  /** Looks the text up without looking inside: a string is the same as itself at first sight. */
  find(text: string): SharedText | undefined {
    return this.#byLength.get(text.length)?.find((shared) => shared.text === text)
  }
}

export function findShared(documents: readonly SharedTexts[], text: string): SharedText | undefined {
  for (const texts of documents) {
    const shared = texts.find(text)
    if (shared !== undefined) return shared
  }
  return undefined
}

/** Beside the documents, so that they stay the plain values that containers expect. */
const ofDocuments = new WeakMap<object, SharedTexts>()

export function sharedTextsOf(document: unknown): SharedTexts | undefined {
  return typeof document === 'object' && document !== null ? ofDocuments.get(document) : undefined
}

export function keepSharedTexts(document: unknown, texts: SharedTexts): void {
  if (typeof document === 'object' && document !== null) ofDocuments.set(document, texts)
}
