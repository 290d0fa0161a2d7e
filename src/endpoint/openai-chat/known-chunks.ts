import type { JsonObject } from '../json-value.ts'
import type { ChunkMemory } from '../memory-of-chunks.ts'
import { ChunkForm } from './chunk-form.ts'
import { meaningOf } from './chunk-meaning.ts'

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

  /** Of the chunk found last. */
  get found(): ChunkForm | undefined {
    return this.#found
  }

  /** Where the event that begins at `start` ends, if its chunk is like one learned and ends before `limit`; else -1. Hot path. */
  find(memory: ChunkMemory, start: number, limit: number): number {
    // A server's chunks follow one another as they did before.
    const before = this.#found
    let found = before?.next ?? before
    let end = found === undefined ? -1 : found.match(memory, start, limit)
    for (let index = 0; end === -1 && index < this.#forms.length; index++) {
      const form = this.#forms[index]
      if (form === undefined || form === found) continue
      end = form.match(memory, start, limit)
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
