import type { RunnerTestCase } from 'vitest'
import { expect, test } from 'vitest'
import type { SloVerdict } from '../metrics/index.ts'
import { madeRun } from './run.fixture.ts'
import { gatherScenarios } from './scenario-reports.ts'
import { recordOnTask } from './task-record.ts'

const verdict: SloVerdict = {
  matcher: 'toHaveWorkflowLatency',
  label: 'workflow latency p95',
  observed: null,
  limit: 45_000,
  unit: 'ms',
  direction: 'ceiling',
  pass: false,
  samples: 4,
}

function task(attempt: { retryCount?: number; repeatCount?: number } = {}): RunnerTestCase {
  return { meta: {}, result: { state: 'run', ...attempt } } as RunnerTestCase
}

function known(id: string) {
  return { id, run: madeRun({ succeeded: [1_000] }), tasks: new Set<RunnerTestCase>() }
}

test('a record is plain JSON', () => {
  const one = task()
  recordOnTask(one, known('a'), [{ verdict }])
  expect(JSON.parse(JSON.stringify(one.meta.traceReplay))).toEqual(one.meta.traceReplay)
})

test('tests that share a run add their verdicts to it', () => {
  const [one, two, run] = [task(), task(), known('a')]
  recordOnTask(one, run, [])
  recordOnTask(one, run, [{ verdict }])
  recordOnTask(two, run, [{ verdict: { ...verdict, pass: true }, inverted: true }])
  const records = [one, two].flatMap(({ meta }) => meta.traceReplay ?? [])
  expect(gatherScenarios(records)).toMatchObject([
    { summary: { name: 'support agents' }, verdicts: [{ inverted: false, verdict }, { inverted: true }] },
  ])
})

test('one test may see several runs', () => {
  const one = task()
  recordOnTask(one, known('a'), [{ verdict }])
  recordOnTask(one, known('b'), [{ verdict }])
  expect(gatherScenarios([one.meta.traceReplay ?? { runs: [], verdicts: [] }])).toHaveLength(2)
})

test('a retry starts anew', () => {
  const one = task({ retryCount: 0 })
  recordOnTask(one, known('a'), [{ verdict }])
  Object.assign(one.result ?? {}, { retryCount: 1 })
  recordOnTask(one, known('b'), [])
  expect(one.meta.traceReplay).toMatchObject({ runs: [{ id: 'b' }], verdicts: [] })
})

test('a repetition adds to what was', () => {
  const one = task({ repeatCount: 0 })
  recordOnTask(one, known('a'), [{ verdict }])
  Object.assign(one.result ?? {}, { repeatCount: 1 })
  recordOnTask(one, known('b'), [{ verdict }])
  expect(one.meta.traceReplay?.runs).toHaveLength(2)
})
