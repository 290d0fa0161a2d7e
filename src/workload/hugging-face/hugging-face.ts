import { type Clock, systemClock } from '../../base/index.ts'
import { buildGraph, type ReplayGraph } from '../../graph/index.ts'
import { readSessionsAsync } from '../../trace/index.ts'
import type { Workload, WorkloadContext } from '../workload.ts'
import type { DatasetFile } from './dataset-listing.ts'
import { DatasetSource } from './dataset-source.ts'
import { FoldedWarnings } from './fold-warnings.ts'
import type { HubTiming } from './hub-connection.ts'
import { checkHuggingFace, type HuggingFaceOptions, withEnvironment } from './options.ts'
import { pickFiles } from './pick-files.ts'
import { readDatasetFile } from './read-dataset-file.ts'

/**
 * Recorded sessions of a data set on the Hugging Face Hub: rows of parquet files, JSON or JSON Lines. Files are fetched when
 * they are reached and kept; rows are read as sessions are drawn. The first look pins the revision to a commit, which the
 * run records.
 *
 * @param dataset `owner/name`
 *
 * @example
 * huggingFace('Exgentic/agent-llm-traces', { split: 'train', limit: 100 })
 * huggingFace('acme/support-traces', { revision: 'v1.2', filter: (session) => session.calls.length > 3 })
 *
 * @throws {TraceReplayError} `INVALID_OPTION`; when opened: `HUB` for what the hub, the network, the cache or the disk did,
 * `NO_TRACE_FILES` when nothing matches, `UNREADABLE_TRACE`, `NO_LLM_CALLS`, `INVALID_TRACE`
 */
export function huggingFace(dataset: string, options: HuggingFaceOptions = {}): Workload {
  return createHuggingFace(dataset, options, { clock: systemClock })
}

/** What tests hold in their hands. */
export interface HuggingFaceMeans {
  readonly clock: Clock
  readonly timing?: HubTiming
}

export function createHuggingFace(dataset: string, options: HuggingFaceOptions, { clock, timing }: HuggingFaceMeans): Workload {
  const checked = checkHuggingFace(dataset, options)
  // Of one workload each pass must yield the same, even if the branch moves in between.
  let pinned: string | undefined

  async function* open(context: WorkloadContext): AsyncGenerator<ReplayGraph> {
    const settings = withEnvironment(checked, context.cwd, process.env)
    const { revision, hubUrl, filter, limit } = settings
    const source = await DatasetSource.open({ settings, context, clock, timing }, pinned)
    const { commit } = source
    pinned = commit
    const url = `${hubUrl}/datasets/${settings.dataset}/tree/${commit}`
    context.onOrigin?.({ kind: 'hugging-face', dataset: settings.dataset, revision, commit, url })
    const files = pickFiles(source.files, settings, context.warn)
    const warnings = new FoldedWarnings(context.warn)
    const reading = { onInvalidTrace: context.onInvalidTrace, warn: warnings.warn, signal: context.signal }
    let drawn = 0
    try {
      const documents = readFiles(source, settings.dataset, files, reading, () => drawn > 0)
      for await (const session of readSessionsAsync(documents, reading)) {
        if (filter !== undefined && !filter(session)) continue
        drawn++
        yield buildGraph(session)
        if (drawn >= limit) return
      }
    } finally {
      warnings.flush()
    }
  }

  return { name: nameOf(checked), open }
}

type Reading = Pick<WorkloadContext, 'onInvalidTrace' | 'warn'> & { readonly signal: AbortSignal | undefined }

async function* readFiles(
  source: DatasetSource,
  dataset: string,
  files: readonly DatasetFile[],
  reading: Reading,
  hasBegun: () => boolean,
) {
  for (const file of files) {
    reading.signal?.throwIfAborted()
    const begun = hasBegun()
    const { path, fetched } = await source.fetch(file)
    const name = `${dataset}/${file.path}`
    if (fetched && begun) {
      reading.warn({
        code: 'fetched-during-run',
        message:
          'A file was fetched while sessions were replayed already; the wait may show in the measurements. It is in the cache now: run again.',
        where: name,
      })
    }
    yield* readDatasetFile({ name, path }, reading)
  }
}

function nameOf({ dataset, revision, split, files }: ReturnType<typeof checkHuggingFace>): string {
  const parts = [split, files].flat().filter((part) => part !== undefined)
  return `${dataset}${revision === undefined ? '' : `@${revision}`}${parts.length === 0 ? '' : ` (${parts.join(', ')})`}`
}
