import type { RunRecord, StageRecord } from './records.ts'
import { Slice } from './slice.ts'

/** One stage of a run, a warm-up stage included: the same figures as the run's, over this stage alone. */
export class StageView extends Slice {
  readonly #stage: StageRecord

  constructor(record: RunRecord, stage: StageRecord) {
    super(record, (index) => index === stage.index)
    this.#stage = stage
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

  override toJSON() {
    return { stage: this.index, warmup: this.warmup, ...super.toJSON() }
  }
}
