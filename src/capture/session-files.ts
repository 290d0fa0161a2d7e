import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, type Timer, TraceReplayError } from '../base/index.ts'
import type { OtlpItem } from './otlp-items.ts'

/** How long a trace is held that goes on: its conversation may be named by a span that ends last. */
const QUIET_MS = 2_000

interface OpenTrace {
  readonly items: OtlpItem[]
  timer: Timer | undefined
}

/**
 * Sorts what arrives into one file per session: spans of one conversation, else of one trace. A trace is written when its root
 * has come or when it has been quiet for a while; what comes later is appended.
 *
 * Names of files are made from the time of the capture and a hash; nothing of what was received is part of a path.
 */
export class SessionFiles {
  readonly #directory: string
  readonly #clock: Clock
  readonly #prefix: string
  readonly #edit: (request: object) => object
  readonly #onFailure: (reason: string) => void
  readonly #open = new Map<string, OpenTrace>()
  /** Where a trace, or a log record's trace, has been written. */
  readonly #fileOfTrace = new Map<string, string>()
  readonly #fileOfConversation = new Map<string, string>()

  /**
   * @param startedAt becomes part of the names, so that captures do not write into each other's files
   * @param edit applied to each request before it is written
   * @param onFailure told when a trace could not be written; it is kept, and tried again when more of it comes, or at the end
   */
  constructor(
    directory: string,
    startedAt: Date,
    clock: Clock,
    edit: (request: object) => object,
    onFailure: (reason: string) => void = () => {},
  ) {
    makeDirectory(directory)
    this.#directory = directory
    this.#clock = clock
    this.#edit = edit
    this.#onFailure = onFailure
    this.#prefix = startedAt.toISOString().slice(0, 19).replaceAll(':', '-')
  }

  /** The files written so far. */
  get paths(): readonly string[] {
    return [...new Set(this.#fileOfTrace.values())].map((name) => join(this.#directory, name))
  }

  add(item: OtlpItem): void {
    const trace = this.#open.get(item.traceId) ?? { items: [], timer: undefined }
    this.#open.set(item.traceId, trace)
    trace.items.push(item)
    trace.timer?.cancel()
    const waitMs = item.isRoot ? 0 : QUIET_MS
    trace.timer = this.#clock.after(waitMs, () => {
      const failure = this.#tryToWrite(item.traceId)
      if (failure !== undefined) this.#onFailure(`${failure} What was received is kept until the capture ends.`)
    })
  }

  /**
   * Writes what is still held.
   *
   * @throws {TraceReplayError} `CAPTURE` when some of it could not be written
   */
  flush(): void {
    const failures = [...this.#open.keys()].map((traceId) => this.#tryToWrite(traceId)).filter((failure) => failure !== undefined)
    if (failures[0] === undefined) return
    throw new TraceReplayError(
      'CAPTURE',
      `${failures[0]} ${failures.length === 1 ? 'A trace is' : `${failures.length} traces are`} lost with it.`,
    )
  }

  /** @returns why it could not be written */
  #tryToWrite(traceId: string): string | undefined {
    try {
      this.#write(traceId)
      return undefined
    } catch (error) {
      return `${this.#directory} cannot be written to: ${error instanceof Error ? error.message : String(error)}.`
    }
  }

  #write(traceId: string): void {
    const trace = this.#open.get(traceId)
    if (trace === undefined) return
    trace.timer?.cancel()
    const conversation = trace.items.find((item) => item.conversation !== '')?.conversation ?? ''
    const lines = trace.items.map((item) => `${JSON.stringify(this.#edit(item.request))}\n`)
    appendFileSync(join(this.#directory, this.#fileFor(traceId, conversation)), lines.join(''))
    this.#open.delete(traceId)
  }

  #fileFor(traceId: string, conversation: string): string {
    const known = this.#fileOfTrace.get(traceId) ?? (conversation === '' ? undefined : this.#fileOfConversation.get(conversation))
    const key = conversation === '' ? `trace ${traceId}` : `conversation ${conversation}`
    const name = known ?? `${this.#prefix}-${createHash('sha256').update(key).digest('hex').slice(0, 12)}.otlp.jsonl`
    this.#fileOfTrace.set(traceId, name)
    if (conversation !== '') this.#fileOfConversation.set(conversation, name)
    return name
  }
}

function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new TraceReplayError('CAPTURE', `Cannot write to the directory '${path}': ${reason}. Choose another one.`, {
      cause: error,
    })
  }
}
