import type { TokenUsage } from '../../message/index.ts'
import type { JsonObject } from '../json-value.ts'
import { ChunkForm } from './chunk-form.ts'
import { type KnownChunk, meaningOf } from './chunk-meaning.ts'

const MAX_FORMS = 16
/** Learning must pay: a server whose chunks differ in other ways is left to the parser. */
const LESSONS_BEFORE_JUDGEMENT = 200

/**
 * The chunks of a server differ from one another in little but the text they carry, their id and their time. Their forms are
 * remembered, so that most chunks are recognised and never parsed: a fifth of the work, on what a client spends most of its
 * time.
 */
export class KnownChunks {
  readonly #forms: ChunkForm[] = []
  #hits = 0
  #lessons = 0
  #found: ChunkForm | undefined

  /** What the chunk found last does. */
  get meaning(): KnownChunk | undefined {
    return this.#found?.meaning
  }

  /** What the chunk found last says of tokens. */
  get usage(): TokenUsage | null {
    return this.#found?.usage ?? null
  }

  /** The text of the chunk found last. */
  get text(): string {
    return this.#found?.text ?? ''
  }

  /** Where that text stands, if it stands there as it is, and if nothing behind it may differ; else -1. */
  get textStart(): number {
    return this.#found?.textStart ?? -1
  }

  /**
   * Where the event that begins at `start` ends, if its chunk is like one learned; else -1. Hot path.
   *
   * @param latin1 the bytes, each as the character of its number
   * @param limit where they end
   */
  find(latin1: string, start: number, limit: number): number {
    // A server's chunks follow one another as they did before.
    const before = this.#found
    let found = before?.next ?? before
    let end = found === undefined ? -1 : found.match(latin1, start, limit)
    for (let index = 0; end === -1 && index < this.#forms.length; index++) {
      const form = this.#forms[index]
      if (form === undefined || form === found) continue
      end = form.match(latin1, start, limit)
      if (end !== -1) found = form
    }
    if (end === -1) return -1
    this.#hits++
    this.#found = found
    if (before !== undefined && found !== before) before.next = found
    return end
  }

  /** Remembers a chunk, if all it does is add to one text, or nothing but what every such chunk does. */
  learn(data: string, chunk: JsonObject): void {
    const givenUp = this.#lessons > LESSONS_BEFORE_JUDGEMENT && this.#hits < this.#lessons
    if (givenUp) return
    const meaning = meaningOf(chunk)
    const form = meaning && ChunkForm.of(Buffer.from(data).toString('latin1'), chunk, meaning)
    if (form === undefined) return
    this.#lessons++
    // A chunk that came in pieces was not found though it is known.
    if (this.#forms.some(({ key }) => key === form.key)) return
    this.#forms.unshift(form)
    if (this.#forms.length > MAX_FORMS) this.#forms.pop()
  }
}
