import { describe, expect, test } from 'vitest'
import { mergeRunRecords } from './merge-run-records.ts'
import { type RandomSession, randomSessions, runOfSessions } from './random-run.fixture.ts'
import type { RunRecord } from './records.ts'
import { Run } from './run.ts'
import { runRecord, seededRandom, sessionRecord, stageRecord } from './run-record.fixture.ts'

/** Deals sessions out to parts as threads or shards would have run them. */
function deal(sessions: readonly RandomSession[], parts: number, seed: number): RunRecord[] {
  const random = seededRandom(seed)
  const hands: RandomSession[][] = Array.from({ length: parts }, () => [])
  for (const session of sessions) hands[Math.floor(random() * parts)]?.push(session)
  return hands.map((hand) => runOfSessions(hand))
}

const METRICS = [
  'workflowLatency',
  'requestLatency',
  'timeToFirstToken',
  'timePerOutputToken',
  'normalizedTimePerOutputToken',
  'scheduleLag',
] as const

/** All that a run can be asked, in a form that does not depend on the order of its sessions. */
function figuresOf(record: RunRecord) {
  const run = new Run(record)
  return [run, ...run.stages].map((measured) => ({
    sessions: measured.sessionCounts,
    requests: measured.requestCounts,
    throughput: measured.throughput,
    latencies: METRICS.map((metric) => [
      measured[metric].count,
      measured[metric].failures,
      ...[0, 0.5, 0.95, 0.99, 1].map((q) => measured[metric].quantile(q)),
    ]),
    gaps: [
      measured.interTokenLatency.count,
      measured.interTokenLatency.failures,
      measured.interTokenLatency.min(),
      measured.interTokenLatency.max('successful'),
    ],
    worst: measured.worstSessions(5),
    errors: measured.errors.map(({ label, count, sessions }) => [label, count, sessions.toSorted()]),
    gradable: measured.gradable,
  }))
}

describe('parts merged equal the whole', () => {
  test.each([2, 3, 7])('of %d parts', (parts) => {
    for (let seed = 1; seed <= 5; seed++) {
      const sessions = randomSessions(seed, 60)
      const whole = runOfSessions(sessions)
      const merged = mergeRunRecords(deal(sessions, parts, seed))
      expect(figuresOf(merged)).toEqual(figuresOf(whole))
      for (const q of [0.5, 0.9, 0.99]) {
        const [a, b] = [merged, whole].map((record) => new Run(record).interTokenLatency.quantile(q, 'successful') ?? Number.NaN)
        expect(a).toBeCloseTo(b ?? Number.NaN, 9)
      }
    }
  })

  test('in whatever order and grouping', () => {
    const [a, b, c] = deal(randomSessions(9, 60), 3, 9) as [RunRecord, RunRecord, RunRecord]
    const merged = mergeRunRecords([a, b, c])
    const { interTokenLatency: _sketch, ...rest } = merged.stages[1] ?? stageRecord()
    for (const other of [mergeRunRecords([c, a, b]), mergeRunRecords([mergeRunRecords([a, b]), c])]) {
      expect(other.sessions).toEqual(merged.sessions)
      expect(other.requests).toEqual(merged.requests)
      expect(other.workload).toEqual(merged.workload)
      expect(other.stages[1]).toMatchObject(rest)
    }
  })

  test('and survive JSON', () => {
    const merged = mergeRunRecords(deal(randomSessions(10, 20), 2, 10))
    expect(JSON.parse(JSON.stringify(merged))).toEqual(merged)
  })
})

function oneSession(id: string, differs: Partial<RunRecord> = {}): RunRecord {
  return runRecord({ sessions: [sessionRecord({ id, startMs: 10, endMs: 100 })], durationMs: 200, ...differs })
}

test('a single part is the run', () => {
  const part = oneSession('a')
  expect(mergeRunRecords([part])).toBe(part)
})

test('parts that started apart share one time line', () => {
  const early = oneSession('a', { startedAt: '2026-03-01T10:00:00.000Z', durationMs: 900 })
  const late = oneSession('b', { startedAt: '2026-03-01T11:00:01.500+01:00' })
  const merged = mergeRunRecords([late, early])
  expect(merged.startedAt).toBe('2026-03-01T10:00:00.000Z')
  expect(merged.sessions.map(({ id, startMs, endMs }) => [id, startMs, endMs])).toEqual([
    ['a', 10, 100],
    ['b', 1_510, 1_600],
  ])
  expect(merged.durationMs).toBe(1_700)
  expect(merged.stages[0]).toMatchObject({ startMs: 0, endMs: 2_500 })
})

test('loads of the same stage add up; no limit in one part is none in the whole', () => {
  const part = (id: string, concurrentSessions: number, sessionRate: number | null) =>
    oneSession(id, { stages: [stageRecord({ concurrentSessions, sessionRate })] })
  expect(mergeRunRecords([part('a', 10, 2), part('b', 6, 1.5)]).stages[0]).toMatchObject({
    concurrentSessions: 16,
    sessionRate: 3.5,
  })
  expect(mergeRunRecords([part('a', 10, 2), part('b', 0, null)]).stages[0]).toMatchObject({
    concurrentSessions: 0,
    sessionRate: null,
  })
})

test('a stage that only one part reached is kept', () => {
  const merged = mergeRunRecords([oneSession('a'), oneSession('b', { stages: [stageRecord({ index: 1 }), stageRecord()] })])
  expect(merged.stages.map(({ index }) => index)).toEqual([0, 1])
})

test('equal warnings are counted together', () => {
  const skipped = { code: 'invalid-trace-skipped', message: 'x.json was skipped', where: 'x.json' }
  const other = { ...skipped, where: 'y.json' }
  const merged = mergeRunRecords([
    oneSession('a', { warnings: [skipped, other] }),
    oneSession('b', { warnings: [{ ...skipped, count: 4 }] }),
  ])
  expect(merged.warnings).toEqual([{ ...skipped, count: 5 }, other])
})

test('different targets are said aloud', () => {
  const target = { kind: 'sglang', url: 'http://127.0.0.1:1', model: 'm' }
  expect(mergeRunRecords([oneSession('a'), oneSession('b', { target })]).warnings).toMatchInlineSnapshot(`
    [
      {
        "code": "targets-differ",
        "message": "The merged parts ran against different targets: vllm m, sglang m.",
      },
    ]
  `)
  expect(mergeRunRecords([oneSession('a'), oneSession('b')]).warnings).toEqual([])
})

test('an abort of one part is one of the whole', () => {
  expect(mergeRunRecords([oneSession('a'), oneSession('b', { aborted: 'Ctrl-C' })]).aborted).toBe('Ctrl-C')
  expect('aborted' in mergeRunRecords([oneSession('a'), oneSession('b')])).toBe(false)
})

test('parts of one corpus keep its hash, parts of different ones add theirs', () => {
  const part = (id: string, hash: string) => oneSession(id, { workload: { name: 'w', hash, recordedSessions: 1 } })
  expect(mergeRunRecords([part('a', 'beef'), part('b', 'beef')]).workload).toEqual({
    name: 'w',
    hash: 'beef',
    recordedSessions: 2,
  })
  const ab = mergeRunRecords([part('a', 'f'.repeat(32)), part('b', '2')]).workload.hash
  expect(ab).toBe(`${'0'.repeat(31)}1`)
})

test('refuses the same session twice, and nothing at all', () => {
  expect(() => mergeRunRecords([oneSession('a'), oneSession('a')])).toThrowErrorMatchingInlineSnapshot(
    `[TraceReplayError: Session 'a' is in two of the runs to merge. Each part of a run holds sessions of its own: was one of them given twice, or did two shards replay the same sessions?]`,
  )
  expect(() => mergeRunRecords([])).toThrow('no run to merge')
})
