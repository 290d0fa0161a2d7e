/** A long text of a document, and how it goes on from another one. */
export interface SharedText {
  /** A string that the engine holds as a tree of pieces for as long as nobody looks inside. */
  readonly text: string
  /** The text whose beginning, all but its closing bracket, this one repeats. */
  readonly base?: SharedText
  /** What this one has instead of that bracket; the whole text when it repeats none. */
  readonly rest: string
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

/** Beside the documents, so that they stay the plain values that containers expect. */
const ofDocuments = new WeakMap<object, SharedTexts>()

export function sharedTextsOf(document: unknown): SharedTexts | undefined {
  return typeof document === 'object' && document !== null ? ofDocuments.get(document) : undefined
}

export function keepSharedTexts(document: unknown, texts: SharedTexts): void {
  if (typeof document === 'object' && document !== null) ofDocuments.set(document, texts)
}
