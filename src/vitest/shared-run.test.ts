import type { RunnerTestCase, RunnerTestFile, RunnerTestSuite } from 'vitest'
import { expect, test, vi } from 'vitest'
import type { Run } from '../metrics/index.ts'
import { madeRun } from './run.fixture.ts'
import { RunEndedError } from './run-scenario.ts'
import type { Scenario } from './scenario.ts'
import { shareRun } from './shared-run.ts'

function scenario(differs: Partial<Scenario> = {}): Scenario {
  return { workload: { name: 'w', open: () => (async function* () {})() }, stages: [{ concurrentSessions: 1 }], ...differs }
}

function fileWith(...suites: string[]) {
  const file = { type: 'suite', name: 'file' } as RunnerTestFile
  const made = suites.map((name) => ({ type: 'suite', name, file }) as RunnerTestSuite)
  const testIn = (suite: RunnerTestSuite | undefined, result: RunnerTestCase['result'] = { state: 'run' }) =>
    ({ file, suite, result }) as RunnerTestCase
  return { suites: made, testIn }
}

const starter = () => vi.fn(async (): Promise<Run> => madeRun({ succeeded: [1_000] }))

test('the same scenario is replayed once in a file', async () => {
  const { suites, testIn } = fileWith('a', 'b')
  const [start, same] = [starter(), scenario()]
  const runs = await Promise.all([undefined, ...suites].map((suite) => shareRun(testIn(suite), same, start)))
  expect(new Set(runs).size).toBe(1)
  expect(start).toHaveBeenCalledOnce()
})

test('and again in another file', async () => {
  const [start, same] = [starter(), scenario()]
  await shareRun(fileWith().testIn(undefined), same, start)
  await shareRun(fileWith().testIn(undefined), same, start)
  expect(start).toHaveBeenCalledTimes(2)
})

test('an equal scenario is the same within its suite, and not beyond', async () => {
  const { suites, testIn } = fileWith('a', 'b')
  const start = starter()
  await shareRun(testIn(suites[0]), scenario(), start)
  await shareRun(testIn(suites[0]), scenario(), start)
  expect(start).toHaveBeenCalledTimes(1)
  await shareRun(testIn(suites[1]), scenario(), start)
  expect(start).toHaveBeenCalledTimes(2)
})

test.each<Partial<Scenario>>([
  { stages: [{ concurrentSessions: 2 }] },
  { timeScale: 0 },
  { workload: { name: 'another', open: () => (async function* () {})() } },
])('a scenario with %j instead is another', async (differs) => {
  const { suites, testIn } = fileWith('a')
  const start = starter()
  await shareRun(testIn(suites[0]), scenario(), start)
  await shareRun(testIn(suites[0]), scenario(differs), start)
  expect(start).toHaveBeenCalledTimes(2)
})

test.each([{ retryCount: 1 }, { repeatCount: 1 }])('%j starts anew, and leaves its run to the next', async (attempt) => {
  const { suites, testIn } = fileWith('a')
  const [start, same] = [starter(), scenario()]
  const first = await shareRun(testIn(suites[0]), same, start)
  const again = await shareRun(testIn(suites[0], { state: 'run', ...attempt }), same, start)
  expect(again).not.toBe(first)
  expect(await shareRun(testIn(suites[0]), same, start)).toBe(again)
})

test('a run that failed is forgotten', async () => {
  const { suites, testIn } = fileWith('a')
  const [start, same] = [starter(), scenario()]
  start.mockRejectedValueOnce(new Error('no such file'))
  await expect(shareRun(testIn(suites[0]), same, start)).rejects.toThrow('no such file')
  await expect(shareRun(testIn(suites[0]), same, start)).resolves.toBeDefined()
})

test('a run that its test outlived is not: the next test fails at once', async () => {
  const { suites, testIn } = fileWith('a')
  const [start, same] = [starter(), scenario()]
  start.mockRejectedValueOnce(new RunEndedError('first'))
  await expect(shareRun(testIn(suites[0]), same, start)).rejects.toThrow('"first"')
  await expect(shareRun(testIn(suites[0]), same, start)).rejects.toThrow('"first"')
  expect(start).toHaveBeenCalledOnce()
})
