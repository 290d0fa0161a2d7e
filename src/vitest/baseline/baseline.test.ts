import { describe, expect, test } from 'vitest'
import { Run, type RunRecord } from '../../metrics/index.ts'
import { stageRecord } from '../../metrics/run-record.fixture.ts'
import { madeRun } from '../run.fixture.ts'
import { captureBaseline, parseBaseline, renderBaseline } from './baseline.ts'
import { compareBaseline } from './compare-baseline.ts'

const client = { eventLoopDelayMs: { p50: 0, p99: 0, max: 0 }, machine: 'linux x64, 8 × Some Processor' }
const policy = { timeScale: 1, maxWaitMs: 15_000, substitute: 'live', stream: true, isolateCache: 'duplicates' } as const
const stages = [stageRecord({ concurrentSessions: 4, asked: { sessions: 4, durationMs: null } })]

function runTaking(ms: readonly number[], differs: Partial<RunRecord> = {}): Run {
  return madeRun({ succeeded: ms, differs: { client, stages, policy, ...differs } })
}

const usual = runTaking([1_000, 2_000, 3_000, 4_000])
const stored = renderBaseline(captureBaseline(usual))

function compareWith(run: Run, text = stored) {
  return compareBaseline(run, captureBaseline(run), parseBaseline(text))
}

test('a baseline is lines that a person can read and edit', () => {
  expect(stored).toMatchInlineSnapshot(`
    "
    workload: 00ff (1 recorded session of traces/*.json)
    stages: 4 at once, 4 sessions
    replay: timeScale 1, maxWait 15s, substitute live, stream true, isolateCache duplicates
    target: vllm m
    machine: linux x64, 8 × Some Processor
    session_success_rate: 1 -1%
    workflow_latency_p50_ms: 2500 +15%
    workflow_latency_p95_ms: 3850 +25%
    ttft_p50_ms: 200 +20%
    ttft_p95_ms: 200 +30%
    tpot_p50_ms: 229 +15%
    tpot_p95_ms: 364 +25%
    output_tokens_per_second: 11 -15%
    "
  `)
})

test('what was written reads the same', () => {
  expect(renderBaseline(parseBaseline(stored))).toBe(stored)
})

test('figures within their tolerance hold, beyond it they do not', () => {
  expect(compareWith(usual)).toMatchObject({ holds: true, notes: [] })
  expect(compareWith(runTaking([1_100, 2_200, 3_300, 4_400])).holds).toBe(true)
  const slower = compareWith(runTaking([1_000, 2_000, 5_000, 6_000]))
  expect(slower.holds).toBe(false)
  expect(slower.figures.find(({ label }) => label === 'workflow latency p50')).toMatchObject({
    basis: 'baseline 2.5s +15%',
    observed: 3_500,
    limit: 2_875,
    direction: 'ceiling',
  })
})

test('failures break it, however quick they were', () => {
  expect(compareWith(madeRun({ succeeded: [1_000, 2_000, 3_000], failed: 1, differs: { client, stages, policy } })).holds).toBe(
    false,
  )
})

test('a tolerance to both sides holds what gets better as well', () => {
  const strict = stored.replace(/(workflow_latency_p50_ms: \d+) \S+/, '$1 ±10%')
  const faster = runTaking([500, 1_000, 1_500, 4_000])
  expect(compareWith(faster, strict)).toMatchObject({ holds: false })
  expect(compareWith(faster, strict).figures[1]).toMatchObject({ limit: 2_250, direction: 'floor' })
  expect(compareWith(faster).holds).toBe(true)
})

test('what became better by more than its tolerance is said', () => {
  expect(compareWith(runTaking([500, 1_000, 1_500, 4_000])).notes.join()).toContain(
    'workflow latency p50 is 1.25s, better than its baseline of 2.5s by more than its tolerance',
  )
})

describe('an update', () => {
  test('takes the new values, and keeps the tolerances and the choice of figures', () => {
    const edited = stored.replace('ttft_p50_ms: 200 +20%', 'ttft_p50_ms: 200 ±50').replace(/tpot.*\n/g, '')
    const slower = runTaking([2_000, 4_000, 6_000, 8_000])
    const updated = renderBaseline(compareWith(slower, edited).updated)
    expect(updated).toContain('ttft_p50_ms: 200 ±50\n')
    expect(updated).toContain('workflow_latency_p50_ms: 5000 +15%\n')
    expect(updated).not.toContain('tpot')
  })

  test('takes over what the new run was of', () => {
    const other = runTaking([1_000], { workload: { name: 'x', hash: 'ff', recordedSessions: 1 } })
    expect(renderBaseline(compareWith(other).updated)).toContain('workload: ff (')
  })
})

describe('what is of other traffic is not compared', () => {
  const { record } = usual
  test.each<[string, Run]>([
    ['workload', new Run({ ...record, workload: { ...record.workload, hash: 'abcd' } })],
    ['stages', new Run({ ...record, stages: [stageRecord({ concurrentSessions: 8 })] })],
    ['replay', new Run({ ...record, policy: { ...policy, timeScale: 0.1 } })],
    ['target', new Run({ ...record, target: { ...record.target, kind: 'sglang' } })],
    ['target', new Run({ ...record, target: { ...record.target, model: 'other' } })],
  ])('another %s', (line, run) => {
    const { holds, incomparable } = compareWith(run)
    expect(holds).toBe(false)
    expect(incomparable).toContain(`the baseline is of another ${line}: `)
    expect(incomparable).toContain('take a new baseline with -u')
  })

  test('a stage or a part of the run', () => {
    const part = usual.where({ label: 'chat' })
    expect(compareBaseline(part, captureBaseline(part), parseBaseline(stored)).incomparable).toContain(
      "another part: none. This run's is where { label: 'chat' }",
    )
  })

  test('the same content found elsewhere, and under another URL, is the same', () => {
    const moved = new Run({
      ...record,
      workload: { ...record.workload, name: 'elsewhere/*.json' },
      target: { ...record.target, url: 'http://127.0.0.1:9' },
    })
    expect(compareWith(moved).holds).toBe(true)
  })
})

test('another machine is said, and no reason to fail', () => {
  const { holds, notes } = compareWith(runTaking([1_000, 2_000, 3_000, 4_000], { client: { ...client, machine: 'another' } }))
  expect(holds).toBe(true)
  expect(notes).toEqual(['The baseline was taken on another machine: linux x64, 8 × Some Processor. This one is another.'])
})

test('a figure that the run no longer carries fails, one that the file does not have is not held', () => {
  const { requests } = usual.record
  const unstreamed = runTaking([1_000, 2_000, 3_000, 4_000], {
    requests: requests.map((request) => ({ ...request, outputChunks: 1 })),
  })
  expect(compareWith(unstreamed).figures.find(({ unmeasured }) => unmeasured !== undefined)?.unmeasured).toBe(
    'the baseline has tpot_p50_ms, which nothing in this run carried',
  )
  expect(compareWith(unstreamed, stored.replace(/tpot.*\n/g, '')).holds).toBe(true)
})

test('a baseline that failures set holds nothing', () => {
  const broken = renderBaseline(captureBaseline(madeRun({ succeeded: [1_000], failed: 1 })))
  expect(broken).toContain('workflow_latency_p95_ms: infinite +25%')
  expect(compareWith(usual, broken).holds).toBe(false)
})

test('stages are told as they were asked for', () => {
  const run = runTaking([1_000], {
    stages: [
      stageRecord({ warmup: true, concurrentSessions: 5, asked: { sessions: null, durationMs: 60_000 } }),
      stageRecord({ index: 1, concurrentSessions: 0, sessionRate: 2, asked: { sessions: 100, durationMs: null } }),
    ],
  })
  const ramp = { from: 1, to: 50, overMs: 120_000 }
  const differing = runTaking([1_000], {
    stages: [
      stageRecord({
        concurrentSessions: 50,
        sessionRate: 3,
        asked: { sessions: 9, durationMs: null, arrivals: 'poisson', ramp },
      }),
    ],
  })
  expect(captureBaseline(differing).identity.get('stages')).toBe('1 to 50 at once over 2m, 3 a second at random, 9 sessions')
  expect(captureBaseline(run).identity.get('stages')).toBe('warm-up 5 at once, for 1m; all at once, 2 a second, 100 sessions')
})

test.each([
  ['latency: 1 +1%', "'latency' is no figure that a baseline holds."],
  ['ttft_p5_ms: 1 +1%', "Did you mean 'ttft_p50_ms'?"],
  ['ttft_p50_ms: fast +1%', "'fast' is no number."],
  ['ttft_p50_ms:', "'' is no number."],
  ['ttft_p50_ms: 200', "'' is no tolerance: write +10%, -5%, ±10%"],
  ['ttft_p50_ms: 200 10%', "'10%' is no tolerance"],
  ['ttft_p50_ms: -5 +1%', 'no figure is below 0, as -5 is.'],
  ['ttft_p50_ms: 200 +1% # for now', "'# for now' has no place behind the tolerance."],
  ['what', 'there is no figure that a baseline holds.'],
])('a line that cannot be read is named: %s', (line, reason) => {
  expect(() => parseBaseline(`\nworkload: x\n${line}\n`)).toThrow(
    `toMatchBaseline: the stored baseline cannot be read at the line "${line}": `,
  )
  expect(() => parseBaseline(line)).toThrow(reason)
})

test('a figure that stands there twice is named: which of the two would hold?', () => {
  expect(() => parseBaseline('ttft_p50_ms: 200 +1%\nttft_p50_ms: 900 +1%')).toThrow(
    'at the line "ttft_p50_ms: 900 +1%": \'ttft_p50_ms\' stands there twice.',
  )
})

test('text from outside cannot become a line of its own', () => {
  const run = runTaking([1_000], { workload: { name: 'x\nttft_p50_ms: 9999 +1%\u2028`', hash: 'ff', recordedSessions: 1 } })
  const text = renderBaseline(captureBaseline(run))
  expect(text.split(/[\n\u2028]/).filter((line) => line.startsWith('ttft_p50_ms'))).toHaveLength(1)
  expect(text).not.toContain('`')
})
