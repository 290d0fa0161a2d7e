import { createWriteStream, mkdirSync, readdirSync, readFileSync, rmSync, type WriteStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Warn } from '../base/index.ts'
import type { RequestList, RunRecord, SessionRecord } from '../metrics/index.ts'
import type { JournalFacts, JournalLine } from './journal-line.ts'

export type { JournalFacts } from './journal-line.ts'

export const JOURNAL_FILE = 'sessions.jsonl'

export interface JournalOptions {
  /** The folder of all runs, in which each has one of its own. */
  readonly folder: string
  /** Whether the requests of a session are kept beside it. */
  readonly requests: boolean
}

/** Beside the journal while its run is under way: holds the id of the process. */
const PROCESS_FILE = 'process'
/** Folders of runs that are kept; the oldest make room, unless they are under way. */
const MOST_RUNS = 20
const RUN_FOLDER = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z/
/** So much that the disk has not taken says that it will not. */
const MOST_WAITING_BYTES = 64 * 1024 * 1024

/**
 * Appends each session to a file as it ends. A file that cannot be written costs the journal, never the run: that is said in
 * a warning, once.
 */
export class JournalWriter {
  readonly #withRequests: boolean
  readonly #warn: Warn
  #stream: WriteStream | undefined
  /** The run's own folder; `undefined` when there is none. */
  readonly folder: string | undefined

  /** @param fileIn names the journal in the run's folder */
  constructor(options: JournalOptions, facts: JournalFacts, warn: Warn, fileIn = (folder: string) => join(folder, JOURNAL_FILE)) {
    this.#withRequests = options.requests
    this.#warn = warn
    try {
      this.folder = makeRunFolder(options.folder, facts)
      writeFileSync(join(this.folder, PROCESS_FILE), String(process.pid))
      this.#stream = createWriteStream(fileIn(this.folder), { flags: 'a' })
      this.#stream.on('error', (error) => this.#giveUp(error))
      this.#write({ run: facts })
    } catch (error) {
      this.#giveUp(error)
    }
  }

  session(session: SessionRecord, requests: RequestList): void {
    this.#write(this.#withRequests ? { session, requests } : { session })
  }

  /**
   * Writes what is known at the end alone; resolves when all of it is on its way to the disk, or was given up.
   *
   * @param record its requests need not be there
   */
  async end({ sessions: _sessions, requests: _requests, ...end }: EndedRun): Promise<void> {
    this.#write({ end })
    await this.close()
  }

  /** Ends the file where it is. */
  close(): Promise<void> {
    const stream = this.#stream
    this.#stream = undefined
    if (stream === undefined) return Promise.resolve()
    this.#signOff()
    return new Promise((resolve) => {
      stream.once('close', () => resolve())
      stream.end()
    })
  }

  #write(line: JournalLine): void {
    const stream = this.#stream
    if (stream === undefined) return
    stream.write(`${JSON.stringify(line)}\n`)
    if (stream.writableLength > MOST_WAITING_BYTES) this.#giveUp(new Error('the disk does not keep up'))
  }

  #signOff(): void {
    if (this.folder !== undefined) rmSync(join(this.folder, PROCESS_FILE), { force: true })
  }

  #giveUp(error: unknown): void {
    const stream = this.#stream
    this.#stream = undefined
    stream?.destroy()
    this.#signOff()
    this.#warn({
      code: 'journal-not-written',
      message: `The journal of the run cannot be written: ${error instanceof Error ? error.message : String(error)}. The run goes on without it; \`journal: false\` switches it off.`,
      where: this.folder ?? 'journal',
    })
  }
}

type EndedRun = Omit<RunRecord, 'requests'> & Partial<Pick<RunRecord, 'requests'>>

function makeRunFolder(parent: string, { startedAt, name }: JournalFacts): string {
  mkdirSync(parent, { recursive: true })
  ignoreInGit(parent)
  removeOldest(parent)
  const base = `${startedAt.replace(/[:.]/g, '-')}-${slugOf(name)}`
  for (let n = 1; ; n++) {
    const folder = join(parent, n === 1 ? base : `${base}-${n}`)
    try {
      mkdirSync(folder)
      return folder
    } catch (error) {
      // Another process has begun a run of that name in the same millisecond.
      if (!isCode(error, 'EEXIST') || n > 1_000) throw error
    }
  }
}

/** What runs leave behind belongs into no commit. */
function ignoreInGit(parent: string): void {
  try {
    writeFileSync(join(parent, '.gitignore'), '*\n', { flag: 'wx' })
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  }
}

function removeOldest(parent: string): void {
  const runs = readdirSync(parent, { withFileTypes: true }).filter((entry) => entry.isDirectory() && RUN_FOLDER.test(entry.name))
  const names = runs.map(({ name }) => name).sort()
  for (const name of names.slice(0, Math.max(0, names.length - MOST_RUNS + 1))) {
    if (!isUnderWay(join(parent, name))) rmSync(join(parent, name), { recursive: true, force: true })
  }
}

function isUnderWay(run: string): boolean {
  try {
    const pid = Number(readFileSync(join(run, PROCESS_FILE), 'utf8'))
    return Number.isInteger(pid) && pid > 0 && process.kill(pid, 0)
  } catch (error) {
    // There is such a process, of someone else.
    return isCode(error, 'EPERM')
  }
}

/** A run's name may hold anything: of it, what may stand in the name of a folder everywhere. */
function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-|-$/g, '')
  return slug === '' ? 'run' : slug
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
