import { TraceReplayError, type Warn, type Warning } from '../base/index.ts'

/**
 * Takes what is wrong in one file. Equal findings become one warning with a count, so that a thousand broken spans do not
 * drown the reader: the first is named, the others are counted.
 */
export class FileReport {
  readonly file: string
  readonly #onInvalidTrace: 'fail' | 'skip'
  readonly #warnings = new Map<string, Warning & { count: number }>()

  constructor(file: string, onInvalidTrace: 'fail' | 'skip') {
    this.file = file
    this.#onInvalidTrace = onInvalidTrace
  }

  /**
   * Something was repaired, ignored or read with a loss.
   *
   * @param where the span or place in the file; not part of what makes two findings equal
   */
  note(code: string, message: string, where = ''): void {
    const full = this.#warnings.size >= MOST_WARNINGS
    const key = full && !this.#warnings.has(`${code} ${message}`) ? code : `${code} ${message}`
    const known = this.#warnings.get(key)
    if (known !== undefined) known.count += 1
    else this.#warnings.set(key, { code, message: where === '' ? message : `${where}: ${message}`, where: this.file, count: 1 })
  }

  /**
   * Something cannot be read. Ends the reading, or under `onInvalidTrace: 'skip'` returns: the caller leaves the thing out.
   *
   * @throws {TraceReplayError}
   */
  refuse(code: 'UNREADABLE_TRACE' | 'INVALID_TRACE' | 'NO_LLM_CALLS', message: string, where = ''): void {
    if (this.#onInvalidTrace === 'fail') {
      throw new TraceReplayError(code, `${this.file}: ${where === '' ? '' : `${where}: `}${message}`)
    }
    this.note(SKIPPED[code], message, where)
  }

  /** Passes on what was gathered, and forgets it. */
  flush(warn: Warn): void {
    for (const { count, ...warning } of this.#warnings.values()) warn(count === 1 ? warning : { ...warning, count })
    this.#warnings.clear()
  }
}

/** A file can make up as many messages as it has spans. Beyond these, findings of one code are counted together. */
const MOST_WARNINGS = 100

const SKIPPED = {
  UNREADABLE_TRACE: 'unreadable-trace-skipped',
  INVALID_TRACE: 'invalid-trace-skipped',
  NO_LLM_CALLS: 'trace-without-calls-skipped',
} as const
