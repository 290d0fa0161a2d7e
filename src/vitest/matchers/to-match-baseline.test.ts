import { afterEach, describe, expect, type RunnerTestCase, Snapshots, test, vi } from 'vitest'
import { stageRecord } from '../../metrics/run-record.fixture.ts'
import '../matchers.ts'
import { captureBaseline, renderBaseline } from '../baseline/baseline.ts'
import { madeRun, messageOf } from '../run.fixture.ts'

const run = madeRun({ succeeded: [1_000, 2_000, 3_000, 4_000] })
const slower = madeRun({ succeeded: [1_500, 3_000, 4_500, 6_000] })
const stored = renderBaseline(captureBaseline(run))

afterEach(() => void vi.restoreAllMocks())

/** Vitest's part, which keeps the file: `'none'` writes nothing (CI), `'new'` what is missing, `'all'` what does not match too. */
function fileWith(text: string | undefined, update: 'none' | 'new' | 'all' = 'new'): { text: string | undefined } {
  const file = { text }
  vi.spyOn(Snapshots, 'toMatchDomainSnapshot').mockImplementation((adapter, received) => {
    const captured = adapter.capture(received)
    const matched = file.text === undefined ? undefined : adapter.match(captured, adapter.parseExpected(file.text))
    if (matched?.pass === true) return { pass: true, message: () => '' }
    if (update === 'none' || (update === 'new' && matched !== undefined)) return { pass: false, message: () => 'mismatched' }
    file.text = matched?.resolved ?? adapter.render(captured)
    return { pass: true, message: () => '' }
  })
  return file
}

function verdictsOf(task: RunnerTestCase) {
  return task.meta.traceReplay?.verdicts.map(({ verdict }) => verdict) ?? []
}

test('is kept by Vitest, in the file of the test’s snapshots', () => {
  expect(run).toMatchBaseline()
  expect(run.where({ label: 'chat' })).toMatchBaseline()
})

test('works with `expect.soft` and `.resolves`', async () => {
  expect.soft(run).toMatchBaseline()
  await expect(Promise.resolve(run)).resolves.toMatchBaseline()
})

test('a run like its baseline passes; each figure is a verdict for the report', ({ task }) => {
  fileWith(stored)
  expect(run).toMatchBaseline()
  expect(verdictsOf(task)).toHaveLength(8)
  expect(verdictsOf(task)[1]).toMatchObject({
    label: 'workflow latency p50',
    basis: 'baseline 2.5s +15%',
    limit: 2_875,
    pass: true,
  })
})

test('a slower one fails, with what was expected and where the time went', () => {
  fileWith(stored)
  expect(messageOf(() => expect(slower).toMatchBaseline())).toMatchInlineSnapshot(`
    "expect(run).toMatchBaseline()

    Scenario: support agents
    Expected:   workflow latency p50 ≤ 2.88s (baseline 2.5s +15%)
                workflow latency p95 ≤ 4.81s (baseline 3.85s +25%)
                TPOT p50 ≤ 263ms (baseline 229ms +15%)
                TPOT p95 ≤ 455ms (baseline 364ms +25%)
                throughput of output tokens ≥ 9.35/s (baseline 11/s -15%)
    Received: ✗ workflow latency p50 3.75s, 30% over
              ✗ workflow latency p95 5.78s, 20% over
              ✗ TPOT p50 354ms, 34% over
              ✗ TPOT p95 557ms, 22% over
              ✗ throughput of output tokens 7.33/s, 22% short

    Measured over 4 sessions (4 succeeded) and 4 requests.

    Where p50 goes
      queue + prefill 4%, decode 96%, wait 0%, client 0%
      'chat', call 1, is on the path of 4 of 4 sessions and takes 100% of p50

    Slowest sessions
              latency  queue + prefill  decode  wait  client
      good-4       6s            200ms    5.8s   0ms     0ms
        longest: 5.8s decode of 'chat', call 1 of 1 on the critical path
      good-3     4.5s            200ms    4.3s   0ms     0ms
        longest: 4.3s decode of 'chat', call 1 of 1 on the critical path
      good-2       3s            200ms    2.8s   0ms     0ms
        longest: 2.8s decode of 'chat', call 1 of 1 on the critical path"
  `)
})

test('one of another workload is refused, and -u takes it', () => {
  const other = madeRun({
    succeeded: [1_000, 2_000, 3_000, 4_000],
    differs: { workload: { name: 'others/*.json', hash: 'abcd', recordedSessions: 7 } },
  })
  fileWith(stored)
  expect(messageOf(() => expect(other).toMatchBaseline())).toMatchInlineSnapshot(`
    "expect(run).toMatchBaseline()

    Scenario: support agents
    Received: not gradable: the baseline is of another workload: 00ff (1 recorded
              session of traces/*.json). This run's is abcd (7 recorded sessions of
              others/*.json). If that is meant, take a new baseline with -u

    Measured over 4 sessions (4 succeeded) and 4 requests."
  `)
  const file = fileWith(stored, 'all')
  expect(other).toMatchBaseline()
  expect(file.text).toContain('workload: abcd')
})

describe('where there is none', () => {
  test('it is written', () => {
    const file = fileWith(undefined)
    expect(run).toMatchBaseline()
    expect(file.text).toBe(stored)
  })

  test('in CI it fails, and says what to do', () => {
    fileWith(undefined, 'none')
    expect(messageOf(() => expect(run).toMatchBaseline())).toMatchInlineSnapshot(`
      "expect(run).toMatchBaseline()

      Scenario: support agents
      Received: not gradable: there is no baseline for this test, and none is written
                in CI. Run the test elsewhere and commit its snapshot file

      Measured over 4 sessions (4 succeeded) and 4 requests."
    `)
  })

  test('none is taken that failures set', () => {
    fileWith(undefined)
    const half = madeRun({ succeeded: [1_000], failed: 1 })
    expect(messageOf(() => expect(half).toMatchBaseline())).toContain('not gradable: a baseline is not to be taken from a run')
  })
})

test('-u takes the new figures and keeps the tolerances', ({ task }) => {
  const file = fileWith(stored.replace('2500 +15%', '2500 ±1%'), 'all')
  expect(slower).toMatchBaseline()
  expect(file.text).toContain('workflow_latency_p50_ms: 3750 ±1%')
  // Nothing was held to what had just been replaced.
  expect(verdictsOf(task)).toEqual([])
})

test('another machine is said where it fails', () => {
  const elsewhere = madeRun({
    succeeded: [1_500, 3_000, 4_500, 6_000],
    differs: { client: { eventLoopDelayMs: { p50: 0, p99: 0, max: 0 }, machine: 'linux x64, 2 × Slow' } },
  })
  fileWith(stored)
  expect(messageOf(() => expect(elsewhere).toMatchBaseline())).toContain(
    'The baseline was taken on another machine: not told. This one is linux x64, 2 ×\nSlow.',
  )
})

test('a line that cannot be read is named', () => {
  fileWith(stored.replace('2500 +15%', '2500 15%'))
  expect(() => expect(run).toMatchBaseline()).toThrow('at the line "workflow_latency_p50_ms: 2500 15%": \'15%\' is no tolerance')
})

test('its stack starts at the user’s line, not inside the package', () => {
  fileWith(stored.replace('2500 +15%', '2500 15%'))
  try {
    expect(run).toMatchBaseline()
    expect.unreachable()
  } catch (error) {
    expect((error as Error).stack).not.toMatch(/baseline[\\/]baseline\.ts|parseBaseline/)
  }
})

test('a run that cannot be graded is held to nothing, and is no baseline', () => {
  const file = fileWith(undefined)
  const late = madeRun({ succeeded: [1_000], differs: { stages: [stageRecord({ neverStarted: 3 })] } })
  expect(messageOf(() => expect(late).toMatchBaseline())).toContain('not gradable: 3 of the 4 sessions')
  expect(file.text).toBeUndefined()
})

test('misuse is refused', () => {
  expect(() => expect(run).not.toMatchBaseline()).toThrow('toMatchBaseline cannot be negated')
  expect(() => expect({ run }).toEqual({ run: expect.toMatchBaseline() })).toThrow('cannot be used as an asymmetric matcher')
  expect(() => (expect(run).toMatchBaseline as (limits: object) => void)({ p95: '1s' })).toThrow(
    'toMatchBaseline takes no arguments: figures and tolerances stand in the snapshot file',
  )
  expect(messageOf(() => expect(Promise.resolve(run)).toMatchBaseline())).toContain('Did you forget to await it?')
})
