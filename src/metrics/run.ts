import type { Warning } from '../base/index.ts'
import { requestsOf } from './compact-record.ts'
import type { RunRecord } from './records.ts'
import { Slice, stagesOf } from './slice.ts'
import { StageView } from './stage-view.ts'
import { Subset } from './subset.ts'
import type { SubsetFilter } from './subset-filter.ts'

/**
 * What came of one replay. A view over its {@link RunRecord}; its own figures leave warm-up stages out, which are reachable
 * by {@link Run.stages}.
 *
 * @example
 * run.workflowLatency.quantile(0.95) // milliseconds; Infinity when more than 5 % of the sessions failed
 * run.stages[1].sessionSuccessRate
 */
export class Run extends Slice {
  readonly name: string
  readonly #record: RunRecord
  readonly #stages: readonly StageView[]

  constructor(record: RunRecord) {
    const warmups = new Set(record.stages.filter((stage) => stage.warmup).map((stage) => stage.index))
    super(record, {
      ...stagesOf(record, (stage) => !stage.warmup),
      // A record may hold sessions of a stage it says nothing else of.
      sessions: record.sessions.filter(({ stage }) => !warmups.has(stage)),
      requests: requestsOf(record).filter(({ stage }) => !warmups.has(stage)),
    })
    this.name = record.name
    this.#record = record
    this.#stages = record.stages.map((stage) => new StageView(this, stage))
  }

  /** Plain JSON, to be kept, sent and merged. */
  get record(): RunRecord {
    return this.#record
  }

  /** What was skipped, repaired or ignored. */
  get warnings(): readonly Warning[] {
    return this.#record.warnings
  }

  /** In the order they ran, warm-up stages included. */
  get stages(): readonly StageView[] {
    return this.#stages
  }

  /**
   * The part of the run that a filter lets through; all that can be asked of a run can be asked of it.
   *
   * @throws {TraceReplayError} `INVALID_OPTION` for a filter without a condition, or with an unknown one
   * @example
   * expect(run.where({ label: 'plan' })).toHaveTimeToFirstToken({ p95: '300ms' })
   */
  where(filter: SubsetFilter): Subset {
    return new Subset(this, this, filter)
  }

  /** Small on purpose: what a failed `toEqual` prints. The whole is {@link Run.record}. */
  override toJSON() {
    return { name: this.name, ...super.toJSON(), stages: this.#stages.map((stage) => stage.toJSON()) }
  }
}
