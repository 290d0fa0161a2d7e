import { type DigestRecord, Run, type RunRecord } from '../metrics/index.ts'
import { digestOf, requestRecord, runRecord, sessionRecord, stageRecord } from '../metrics/run-record.fixture.ts'

interface Made {
  /** Latency of each session that succeeded, one request each. */
  readonly succeeded?: readonly number[]
  /** How many sessions failed besides. */
  readonly failed?: number
  readonly gaps?: readonly number[]
  readonly differs?: Partial<RunRecord>
}

/** A run of one stage with one request a session, each first output after 200 ms. */
export function madeRun({ succeeded = [], failed = 0, gaps = [], differs = {} }: Made): Run {
  const ids = (word: string, count: number) => Array.from({ length: count }, (_, index) => `${word}-${index + 1}`)
  const good = ids('s', succeeded.length).map((id, index) => ({ id, endMs: succeeded[index] ?? 0 }))
  const error = { label: 'http_503', message: 'the server is overloaded', call: 'c1' }
  const bad = ids('bad', failed)
  const interTokenLatency: DigestRecord = digestOf(gaps)
  return new Run(
    runRecord({
      stages: [stageRecord({ interTokenLatency })],
      sessions: [
        ...good.map(({ id, endMs }) => sessionRecord({ id, endMs })),
        ...bad.map((id) =>
          sessionRecord({ id, state: 'failed', error, calls: { succeeded: 0, failed: 1, cancelled: 0, cutOff: 0 } }),
        ),
      ],
      requests: [
        ...good.map(({ id, endMs }) => requestRecord({ session: id, endMs, lastOutputMs: endMs - 10 })),
        ...bad.map((session) =>
          requestRecord({
            session,
            state: 'failed',
            error,
            firstOutputMs: null,
            lastOutputMs: null,
            outputTokens: null,
            outputChunks: 0,
          }),
        ),
      ],
      ...differs,
    }),
  )
}
