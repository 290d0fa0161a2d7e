import { appendFileSync } from 'node:fs'
import type { Reporter, TestCase, Vitest } from 'vitest/node'
import { colourful, plain, renderRunTable } from '../report/index.ts'
import { LiveProgress } from './live-progress.ts'
import { isProgressArtifact } from './progress-artifact.ts'
import { gatherScenarios } from './scenario-reports.ts'
import { stdoutIsMachineReadable } from './stdout-owner.ts'
import { renderStepSummary } from './step-summary.ts'
import type { TaskRecord } from './task-record.ts'

/**
 * Shows how far each run is, and at the end a table of all scenarios with the verdict on each SLO. The plugin adds it beside
 * the reporters that are configured; it prints nothing where no test replayed anything.
 *
 * Where stdout belongs to a machine-readable reporter (json, junit, tap) the table goes to stderr. In a GitHub Action it is
 * added to the job's summary as well.
 */
export class TraceReplayReporter implements Reporter {
  readonly #records: TaskRecord[] = []
  #vitest: Vitest | undefined
  #progress: LiveProgress | undefined
  #quiet = false
  #broken = false

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
    this.#carefully(() => {
      this.#quiet = stdoutIsMachineReadable(vitest.config, vitest.version)
      if (!this.#quiet) this.#progress = new LiveProgress(vitest)
    })
  }

  onTestRunStart(): void {
    // A watch run starts many times.
    this.#records.length = 0
    this.#carefully(() => this.#progress?.clear())
  }

  onTestCaseArtifactRecord(test: TestCase, artifact: unknown): void {
    if (!isProgressArtifact(artifact)) return
    this.#carefully(() => {
      this.#progress?.show(test.id, artifact)
      dropArtifact(test, artifact)
    })
  }

  onTestCaseResult(test: TestCase): void {
    this.#carefully(() => {
      this.#progress?.end(test.id)
      const record = test.meta().traceReplay
      // A copy: when reports are merged, the modules of one file share their tests.
      if (record !== undefined) this.#records.push(structuredClone(record))
    })
  }

  onTestRunEnd(): void {
    this.#carefully(() => {
      this.#progress?.clear()
      const scenarios = gatherScenarios(this.#records)
      const { logger } = this.#vitest ?? {}
      if (scenarios.length === 0 || logger === undefined) return
      const stream = this.#quiet ? logger.errorStream : logger.outputStream
      const table = renderRunTable(scenarios, { width: widthOf(stream) - 1, styler: hasColours(stream) ? colourful : plain })
      const text = `\n${table.replaceAll(/^(?=.)/gm, ' ')}\n`
      if (this.#quiet) logger.error(text)
      else logger.log(text)
      const stepSummary = process.env.GITHUB_STEP_SUMMARY
      if (stepSummary) appendFileSync(stepSummary, renderStepSummary(scenarios))
    })
  }

  /** What goes wrong in here must not break the run it reports on. */
  #carefully(report: () => void): void {
    try {
      report()
    } catch (error) {
      if (!this.#broken) this.#vitest?.logger.error(`vitest-trace-replay: the report is incomplete. ${String(error)}`)
      this.#broken = true
    }
  }
}

/** Progress that stays would end up in blobs and in the HTML report. */
function dropArtifact(test: TestCase, artifact: object): void {
  // Not part of Vitest's public types: the task behind the reported test.
  const artifacts = (test as { task?: { artifacts?: unknown[] } }).task?.artifacts
  const index = artifacts?.indexOf(artifact) ?? -1
  if (index >= 0) artifacts?.splice(index, 1)
}

type Stream = NodeJS.WritableStream & { columns?: number; isTTY?: boolean; hasColors?(): boolean }

const DEFAULT_COLUMNS = 100

function widthOf({ columns }: Stream): number {
  return columns !== undefined && columns > 0 ? columns : DEFAULT_COLUMNS
}

function hasColours(stream: Stream): boolean {
  const { FORCE_COLOR, NO_COLOR } = process.env
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return !NO_COLOR && stream.isTTY === true && stream.hasColors?.() !== false
}
