import type { Warning } from '../base/index.ts'
import type { RequestRecord, SessionRecord } from '../metrics/index.ts'

/** What a session tells of itself. */
export interface SessionRecorder {
  sessionStarted(): void
  requestSent(): void
  /** `outputTimesMs` of a request that was sent; `null` for one that never was. */
  requestEnded(record: RequestRecord, outputTimesMs: readonly number[] | null): void
  sessionEnded(record: SessionRecord): void
  warn(warning: Warning): void
}
