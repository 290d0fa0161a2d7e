import { stripVTControlCharacters } from 'node:util'
import { Run, type RunRecord } from '../metrics/index.ts'
import { digestOf, requestRecord, runRecord, sessionRecord, stageRecord } from '../metrics/run-record.fixture.ts'

interface Made {
  /** Latency of each session that succeeded; each is one request whose first output came after 200 ms. */
  readonly succeeded?: readonly number[]
  /** How many sessions failed besides. */
  readonly failed?: number
  readonly gaps?: readonly number[]
  readonly differs?: Partial<RunRecord>
}

/** A run of one stage. */
export function madeRun({ succeeded = [], failed = 0, gaps = [], differs = {} }: Made): Run {
  const good = succeeded.map((endMs, index) => ({ id: `good-${index + 1}`, endMs }))
  const bad = Array.from(
    { length: failed },
    (_, index) => ({ id: `bad-${index + 1}`, state: 'failed', error: OVERLOAD }) as const,
  )
  return new Run(
    runRecord({
      stages: [stageRecord({ interTokenLatency: digestOf(gaps) })],
      sessions: [...good, ...bad].map(sessionRecord),
      requests: [
        ...good.map(({ id, endMs }) => requestRecord({ session: id, endMs, lastOutputMs: endMs - 10 })),
        ...bad.map(({ id, state, error }) => requestRecord({ session: id, state, error, ...NO_OUTPUT })),
      ],
      ...differs,
    }),
  )
}

const OVERLOAD = { label: 'http_503', message: 'the server is overloaded', call: 'c1' }
const NO_OUTPUT = { firstOutputMs: null, lastOutputMs: null, outputChunks: 0, outputTokens: null }

/** What a failing assertion says: under the hint, which quotes the user's code, no line of it wider than a terminal. */
export function messageOf(assertion: () => void): string {
  const message = failureOf(assertion)
  const [, ...lines] = message.split('\n')
  const wide = message.startsWith('expect(') ? lines.find((line) => line.length > 80) : undefined
  if (wide !== undefined && !message.includes('Matcher error')) throw new Error(`More than 80 columns: ${wide}`)
  return message
}

function failureOf(assertion: () => void): string {
  try {
    assertion()
  } catch (error) {
    return stripVTControlCharacters((error as Error).message)
  }
  throw new Error('The assertion holds.')
}
