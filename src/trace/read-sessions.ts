import type { Warn } from '../base/index.ts'
import { Interner, MessagePool, type Session } from '../message/index.ts'
import type { SpanBatch } from './containers/container.ts'
import { readDocument } from './containers/index.ts'
import { withoutDuplicates } from './de-duplicate.ts'
import { documentsOf } from './encodings/index.ts'
import { FileReport } from './file-report.ts'
import { groupCalls } from './group-calls.ts'
import { refuseFilesWithoutCalls } from './no-calls.ts'
import { labelsOf } from './recorded-call.ts'
import { type DocumentBatch, Recording } from './recording.ts'
import type { SessionBy } from './session-by.ts'
import { sharedTextsOf } from './shared-texts.ts'
import { toSession } from './to-session.ts'
import { byTime } from './twins.ts'
import { UniqueNames } from './unique-names.ts'

/** A trace file as it lies on disk. */
export interface TraceFile {
  /** For messages and as `Session.source`; the kind of file is told from its content. */
  readonly name: string
  readonly bytes: Uint8Array
}

/** A trace that something else took out of its file already, such as the row of a table: a value as `JSON.parse` makes them. */
export interface TraceDocument {
  /** For messages and as `Session.source`. */
  readonly name: string
  readonly document: unknown
}

export interface ReadOptions {
  readonly warn: Warn
  /** `'fail'`: the first trace that cannot be read ends the reading. `'skip'`: it is left out, with a warning. */
  readonly onInvalidTrace: 'fail' | 'skip'
  /** Forms sessions by something else than conversation and trace; also takes apart what a file holds as one. */
  readonly sessionBy?: SessionBy
}

/**
 * Reads the sessions of one set of trace files.
 *
 * Files are pulled one by one. A file that is one session by itself is yielded as soon as it is read and not kept; sessions
 * that may be spread over files follow at the end, in the order of their first call.
 *
 * @throws {TraceReplayError} `UNREADABLE_TRACE` for a file that is empty, cut off or of no known kind, `INVALID_TRACE` for a span
 * whose content cannot be read, `NO_LLM_CALLS` for a file without a call
 */
export function* readSessions(files: Iterable<TraceFile>, options: ReadOptions): Generator<Session> {
  const reading = new Reading(options)
  const iterator = files[Symbol.iterator]()
  try {
    // Not a `for` loop: while a session is out, its variables would keep the file and all that was parsed of it.
    for (;;) {
      const sessions = reading.next(iterator)
      if (sessions === undefined) break
      yield* sessions
    }
    yield* reading.finish()
  } finally {
    iterator.return?.()
  }
}

/** As {@link readSessions}, from files or documents that arrive one by one. */
export async function* readSessionsAsync(
  sources: AsyncIterable<TraceFile | TraceDocument>,
  options: ReadOptions,
): AsyncGenerator<Session> {
  const reading = new Reading(options)
  const iterator = sources[Symbol.asyncIterator]()
  try {
    for (;;) {
      const sessions = await reading.nextAsync(iterator)
      if (sessions === undefined) break
      yield* sessions
    }
    yield* reading.finish()
  } finally {
    await iterator.return?.()
  }
}

/** What the files of one input set have in common. */
class Reading {
  readonly #options: ReadOptions
  readonly #pool = new MessagePool()
  readonly #sessionIds = new UniqueNames()
  readonly #spread: Recording

  constructor(options: ReadOptions) {
    this.#options = options
    this.#spread = new Recording(new Interner(this.#pool), options.sessionBy)
  }

  /** Pulls and reads a file. @returns the sessions that need no other file, `undefined` after the last file */
  next(files: Iterator<TraceFile>): Session[] | undefined {
    const { done, value } = files.next()
    return done === true ? undefined : this.#read(value)
  }

  async nextAsync(sources: AsyncIterator<TraceFile | TraceDocument>): Promise<Session[] | undefined> {
    const { done, value } = await sources.next()
    return done === true ? undefined : this.#read(value)
  }

  #read(source: TraceFile | TraceDocument): Session[] {
    const report = new FileReport(source.name, this.#options.onInvalidTrace)
    try {
      return this.#readDocuments('bytes' in source ? documentsOf(source.bytes, report) : [source.document], report)
    } finally {
      report.flush(this.#options.warn)
    }
  }

  #readDocuments(documents: Iterable<unknown>, report: FileReport): Session[] {
    const sessions: Session[] = []
    const spread: DocumentBatch[] = []
    for (const document of documents) {
      const texts = sharedTextsOf(document)
      for (const read of readDocument(document, report)) {
        const batch = { ...read, texts }
        if (batch.session === undefined || this.#options.sessionBy !== undefined) spread.push(batch)
        else sessions.push(...this.#readOneSession(batch, batch.session, report))
      }
    }
    if (spread.length > 0) this.#spread.add(spread, report)
    return sessions
  }

  #readOneSession(batch: DocumentBatch, { id, attributes }: NonNullable<SpanBatch['session']>, report: FileReport): Session[] {
    const recording = new Recording(new Interner(this.#pool))
    recording.add([batch], report)
    const calls = withoutDuplicates(recording.finish().sort(byTime), recording.tree)
    refuseFilesWithoutCalls(recording.tallies, calls)
    const [first] = calls
    if (first === undefined) return []
    const name = id || first.node.traceId || report.file
    const head = {
      id: this.#sessionIds.take(name),
      source: report.file,
      attributes: { ...labelsOf(first.resource), ...labelsOf(attributes) },
    }
    return [toSession(head, calls, recording.tree)]
  }

  /** The sessions that files have in common, in order of their first call. */
  finish(): Session[] {
    const { tree, tallies } = this.#spread
    const reports = new Set(tallies.map(({ report }) => report))
    try {
      const calls = withoutDuplicates(this.#spread.finish().sort(byTime), tree)
      refuseFilesWithoutCalls(tallies, calls)
      return groupCalls(calls, tree).flatMap(({ id, calls }) => {
        const [first] = calls
        if (first === undefined) return []
        const source = first.report.file
        return [toSession({ id: this.#sessionIds.take(id || source), source, attributes: labelsOf(first.resource) }, calls, tree)]
      })
    } finally {
      for (const report of reports) report.flush(this.#options.warn)
    }
  }
}
