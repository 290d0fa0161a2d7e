import { z } from 'zod'
import { checkOptions, systemClock } from '../base/index.ts'
import { buildGraph, type ReplayGraph } from '../graph/index.ts'
import type { Session } from '../message/index.ts'
import { readSessionsAsync, type SessionBy, type TraceFile } from '../trace/index.ts'
import { type FoundFile, findTraceFiles } from './find-trace-files.ts'
import { readOnceThereIsADescriptor } from './read-once-there-is-a-descriptor.ts'
import { readTraceFile } from './read-trace-file.ts'
import type { Workload, WorkloadContext } from './workload.ts'

/** A workload of at most this many bytes on disk stays in memory once read, so that repeating it costs nothing. */
const KEEP_IN_MEMORY_BYTES = 256 * 1024 * 1024

export interface TracesOptions {
  /** Only sessions for which this is true. @default all */
  readonly filter?: (session: Session) => boolean
  /** At most this many sessions, after `filter`. @default all */
  readonly limit?: number
  /** Which session a span belongs to, in place of its conversation or trace id. @see SessionBy */
  readonly sessionBy?: SessionBy
}

const patternsSchema = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)])

const optionsSchema = z.strictObject({
  filter: z.custom<(session: Session) => boolean>((value) => typeof value === 'function', 'expected a function').optional(),
  limit: z.int().positive().optional(),
  sessionBy: z.custom<SessionBy>((value) => typeof value === 'function', 'expected a function').optional(),
})

/**
 * Recorded traces in files: paths, directories or globs, relative to the project's root (under Vitest) or to
 * {@link ReplayOptions.cwd}. All files are one input set.
 *
 * @example
 * traces('traces/*.json')
 * traces(['support/', 'extra/session-17.json'], { filter: (session) => session.calls.length > 3 })
 *
 * @throws {TraceReplayError} when opened: `NO_TRACE_FILES`, `UNREADABLE_TRACE`, `NO_LLM_CALLS`, `INVALID_TRACE`
 */
export function traces(patterns: string | readonly string[], options: TracesOptions = {}): Workload {
  const list = [checkOptions(patternsSchema, patterns, 'traces(patterns)')].flat()
  const { filter, limit, sessionBy } = checkOptions(optionsSchema, options, 'traces(…, options)')
  let kept: { readonly cwd: string; readonly graphs: readonly ReplayGraph[] } | undefined

  async function* open(context: WorkloadContext): AsyncGenerator<ReplayGraph> {
    if (kept?.cwd === context.cwd) {
      yield* kept.graphs
      return
    }
    const files = await findTraceFiles(list, context.cwd)
    const small = files.reduce((sum, file) => sum + file.sizeBytes, 0) <= KEEP_IN_MEMORY_BYTES
    const graphs: ReplayGraph[] = []
    let drawn = 0
    for await (const session of readSessionsAsync(readLazily(files, context.signal), {
      ...context,
      ...(sessionBy !== undefined && { sessionBy }),
    })) {
      if (filter !== undefined && !filter(session)) continue
      drawn++
      const graph = buildGraph(session)
      if (small) graphs.push(graph)
      yield graph
      // Not one file more is read.
      if (drawn === limit) break
    }
    if (small) kept = { cwd: context.cwd, graphs }
  }

  return { name: list.join(', '), open }
}

async function* readLazily(files: readonly FoundFile[], signal: AbortSignal | undefined): AsyncGenerator<TraceFile> {
  for (const file of files) {
    signal?.throwIfAborted()
    const bytes = await readOnceThereIsADescriptor(() => readTraceFile(file.path, file.name), systemClock, signal)
    yield { name: file.name, bytes }
  }
}
