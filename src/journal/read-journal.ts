import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { TraceReplayError, type Warning } from '../base/index.ts'
import {
  compactRecord,
  EMPTY_DIGEST,
  parseRequestRecords,
  parseRunRecord,
  parseSessionRecord,
  RequestColumns,
  type RunRecord,
  refuseOtherVersion,
  restOf,
  type SessionRecord,
} from '../metrics/index.ts'
import { JOURNAL_FILE } from './journal-writer.ts'

/**
 * The record of a run from its journal, also of one whose process was killed: the last line may be cut.
 *
 * @param path a journal, or a folder that holds one; of a folder of runs the latest
 * @throws {TraceReplayError} `UNREADABLE_RECORD` when there is no journal, or it holds no run
 */
export async function readJournal(path: string): Promise<RunRecord> {
  const file = findJournal(path)
  const journal = new Journal(file)
  const lines = createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY })
  let number = 0
  try {
    for await (const line of lines) journal.take(line, ++number)
  } catch (cause) {
    if (cause instanceof TraceReplayError) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new TraceReplayError('UNREADABLE_RECORD', `${file}: cannot be read: ${reason}. ${EXPECTED}`, { cause })
  }
  return journal.record()
}

const EXPECTED = `Give the folder of a run, or the \`${JOURNAL_FILE}\` in it.`

function findJournal(path: string): string {
  const missing = (what: string) => new TraceReplayError('UNREADABLE_RECORD', `${path}: ${what}. ${EXPECTED}`)
  if (!existsSync(path)) throw missing('there is nothing')
  if (!statSync(path).isDirectory()) return path
  const own = join(path, JOURNAL_FILE)
  if (existsSync(own)) return own
  const latest = readdirSync(path)
    .sort()
    .findLast((name) => existsSync(join(path, name, JOURNAL_FILE)))
  if (latest === undefined) throw missing(`the folder holds no \`${JOURNAL_FILE}\``)
  return join(path, latest, JOURNAL_FILE)
}

type Fields = Readonly<Record<string, unknown>>

class Journal {
  readonly #file: string
  readonly #sessions: SessionRecord[] = []
  readonly #requests = new RequestColumns()
  #facts: unknown
  #end: Fields | undefined
  /** Number of the line that could not be read; only the last may be. */
  #broken = 0
  #skipped = 0
  #isEmpty = true

  constructor(file: string) {
    this.#file = file
  }

  take(line: string, number: number): void {
    if (line.trim() === '') return
    this.#isEmpty = false
    if (this.#broken > 0) this.#skipped++
    const value = parseObject(line)
    if (value === undefined) {
      this.#broken = number
      return
    }
    this.#broken = 0
    const where = `${this.#file}, line ${number}`
    if ('run' in value) {
      refuseOtherVersion(value.run, where)
      this.#facts = value.run
    } else if (isFields(value.end)) this.#end = value.end
    else if ('session' in value) {
      this.#sessions.push(parseSessionRecord(value.session, where))
      if (value.requests !== undefined)
        for (const request of parseRequestRecords(value.requests, where)) this.#requests.add(request)
    }
  }

  record(): RunRecord {
    if (!isFields(this.#facts)) {
      const found = this.#isEmpty
        ? 'is empty: the process ended before it could write of its run'
        : 'is no journal of a run, or its beginning was cut off: no line of it says which run it is of'
      throw new TraceReplayError('UNREADABLE_RECORD', `${this.#file}: ${found}. ${EXPECTED}`)
    }
    const whole = this.#end === undefined ? this.#unfinished(this.#facts) : this.#end
    // The requests were checked line by line.
    const rest = restOf(parseRunRecord({ ...whole, sessions: this.#sessions, requests: [] }, this.#file))
    return compactRecord({ ...rest, warnings: [...rest.warnings, ...this.#warnings()] }, this.#requests.settle())
  }

  /** What a run that never came to its end leaves open, as far as its sessions tell. */
  #unfinished(facts: Fields): Fields {
    const durationMs = this.#sessions.reduce((latest, { endMs }) => Math.max(latest, endMs), 0)
    const stages: readonly unknown[] = Array.isArray(facts.stages) ? facts.stages : []
    const begun = stages.filter(isFields).flatMap((stage) => {
      const own = this.#sessions.filter((session) => session.stage === stage.index)
      if (own.length === 0) return []
      const startMs = own.reduce((earliest, session) => Math.min(earliest, session.intendedMs), Number.POSITIVE_INFINITY)
      const endMs = own.reduce((latest, session) => Math.max(latest, session.endMs), 0)
      return [{ ...stage, startMs, endMs, interTokenLatency: EMPTY_DIGEST }]
    })
    const recorded = new Set(this.#sessions.map((session) => session.recorded))
    return {
      ...facts,
      durationMs,
      workload: { ...(isFields(facts.workload) ? facts.workload : {}), hash: '', recordedSessions: recorded.size },
      stages: begun,
      client: { eventLoopDelayMs: { p50: 0, p99: 0, max: 0 } },
      warnings: [],
      aborted: 'the process ended before the run did',
    }
  }

  #warnings(): Warning[] {
    const warnings: Warning[] = []
    if (this.#end === undefined) {
      warnings.push({
        code: 'run-not-finished',
        message:
          'The journal ends before the run did. It has the sessions that had finished; those then under way are in no figure, nor are gaps between tokens.',
        where: this.#file,
      })
    }
    if (this.#skipped > 0) {
      warnings.push({
        code: 'journal-line-skipped',
        message: 'A line in the midst of the journal cannot be read; it was left out.',
        where: this.#file,
        count: this.#skipped,
      })
    }
    return warnings
  }
}

function parseObject(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isFields(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
