import type { Vitest } from 'vitest/node'
import type { Progress } from '../replay/index.ts'
import { renderFetchLine, renderProgressLine } from '../report/index.ts'
import type { WorkloadProgress } from '../workload/index.ts'
import type { ProgressArtifact } from './progress-artifact.ts'

/** A run that ends sooner than this needs no lines in a log. */
const LEAST_ELAPSED_MS = 3_000
/** How often a stage without a known end is heard of. */
const INTERVAL_MS = 30_000
const QUARTERS = 4
/** A smaller file is there before a line about it has been read. */
const WORTH_A_LINE_BYTES = 4_000_000

/**
 * Where the runs in flight stand: on a terminal as lines in Vitest's own summary, which it keeps at the bottom and redraws;
 * elsewhere as a line in the log at each quarter of a stage.
 */
export class LiveProgress {
  readonly #vitest: Vitest
  readonly #hooked: boolean
  readonly #shown = new Map<string, ProgressArtifact>()
  readonly #logged = new Map<string, number>()

  constructor(vitest: Vitest) {
    this.#vitest = vitest
    this.#hooked = hookSummary(vitest, () => this.#lines())
  }

  show(testId: string, artifact: ProgressArtifact): void {
    this.#shown.set(testId, artifact)
    if (!this.#hooked) this.#log(artifact)
  }

  end(testId: string): void {
    this.#shown.delete(testId)
  }

  clear(): void {
    this.#shown.clear()
    this.#logged.clear()
  }

  #lines(): string[] {
    return [...this.#shown.values()].map((artifact) => ` ${this.#text(artifact)}`)
  }

  #log(artifact: ProgressArtifact): void {
    const { run, state } = artifact
    const [key, step] = state.kind === 'fetching' ? fetchStep(state.file) : replayStep(state.progress)
    if (step <= (this.#logged.get(`${run} ${key}`) ?? 0)) return
    this.#logged.set(`${run} ${key}`, step)
    this.#vitest.logger.log(` ${this.#text(artifact)}`)
  }

  #text({ scenario, state }: ProgressArtifact): string {
    const columns = this.#vitest.logger.getColumns()
    const name = scenario.length <= columns / 3 ? scenario : `${scenario.slice(0, Math.max(1, columns / 3 - 1))}…`
    const options = { width: columns - name.length - 3 }
    const line = state.kind === 'fetching' ? renderFetchLine(state.file, options) : renderProgressLine(state.progress, options)
    return `${name}  ${line}`
  }
}

/** What is counted, and how many steps of it are worth a line by now; the last quarter never is: what follows says more. */
type LoggedStep = [key: string, step: number]

function replayStep({ stage, elapsedMs, sessions: { total, succeeded, failed } }: Progress): LoggedStep {
  if (elapsedMs < LEAST_ELAPSED_MS) return [`${stage}`, 0]
  return [`${stage}`, total === null ? Math.floor(elapsedMs / INTERVAL_MS) : quarters(succeeded + failed, total)]
}

function fetchStep({ file, doneBytes, totalBytes }: WorkloadProgress): LoggedStep {
  return [file, totalBytes < WORTH_A_LINE_BYTES ? 0 : quarters(doneBytes, totalBytes)]
}

function quarters(done: number, total: number): number {
  const step = Math.floor((done / Math.max(1, total)) * QUARTERS)
  return step === QUARTERS ? 0 : step
}

/** The part of Vitest's default reporter that draws the lines at the bottom. Not a public interface: looked for, not relied on. */
interface DrawsSummary {
  readonly summary: { createSummary(): string[] }
}

/** @returns whether there is a summary to add to */
function hookSummary(vitest: Vitest, lines: () => string[]): boolean {
  const { reporters = [] } = vitest as { reporters?: readonly unknown[] }
  const reporter = reporters.find(drawsSummary)
  if (reporter === undefined) return false
  const { summary } = reporter
  const original = summary.createSummary
  summary.createSummary = () => {
    const [blank = '', ...drawn] = original.call(summary)
    return [blank, ...lines(), ...drawn]
  }
  return true
}

function drawsSummary(reporter: unknown): reporter is DrawsSummary {
  const summary = typeof reporter === 'object' && reporter !== null && 'summary' in reporter ? reporter.summary : undefined
  return (
    typeof summary === 'object' && summary !== null && 'createSummary' in summary && typeof summary.createSummary === 'function'
  )
}
