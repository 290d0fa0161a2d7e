import type { StageRecord } from './records.ts'
import type { Run } from './run.ts'
import { Slice, stagesOf } from './slice.ts'
import { Subset } from './subset.ts'
import type { SubsetFilter } from './subset-filter.ts'

/** One stage of a run, a warm-up stage included: the same figures as the run's, over this stage alone. */
export class StageView extends Slice {
  readonly #run: Run
  readonly #stage: StageRecord

  constructor(run: Run, stage: StageRecord) {
    super(
      run.record,
      stagesOf(run.record, ({ index }) => index === stage.index),
    )
    this.#run = run
    this.#stage = stage
  }

  /** The run it is a stage of. */
  get run(): Run {
    return this.#run
  }

  get index(): number {
    return this.#stage.index
  }

  get warmup(): boolean {
    return this.#stage.warmup
  }

  /** Most sessions in flight at once; 0 means no limit. */
  get concurrentSessions(): number {
    return this.#stage.concurrentSessions
  }

  /** Milliseconds since the run started. */
  get startMs(): number {
    return this.#stage.startMs
  }

  get endMs(): number {
    return this.#stage.endMs
  }

  /** As {@link Run.where}, within this stage. */
  where(filter: SubsetFilter): Subset {
    return new Subset(this.#run, this, filter, this)
  }

  override toJSON() {
    return { stage: this.index, warmup: this.warmup, ...super.toJSON() }
  }
}
