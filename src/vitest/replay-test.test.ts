import { describe, expect, test as plain } from 'vitest'
import { Run } from '../metrics/index.ts'
import { traces } from '../workload/index.ts'
import { replayTest, type Scenario, test } from './index.ts'

const scenario: Scenario = {
  workload: traces('fixtures/traces/support-agent.json'),
  simulator: { speed: Number.POSITIVE_INFINITY },
  stages: [{ concurrentSessions: 1 }],
  timeScale: 0,
}

replayTest('the function is given the run and the context of the test', scenario, ({ run, task, expect: own, signal }) => {
  expect(run).toBeInstanceOf(Run)
  expect(run.name).toBe(task.name)
  expect(signal.aborted).toBe(false)
  own(run).toHaveSessionSuccessRate(1)
  expect(task.meta.traceReplay).toMatchObject({
    runs: [{ summary: { name: task.name } }],
    verdicts: [{ verdict: { matcher: 'toHaveSessionSuccessRate', pass: true } }],
  })
})

replayTest('a scenario’s own name wins', { ...scenario, name: 'its own' }, ({ run }) => {
  expect(run.name).toBe('its own')
})

replayTest('without a function every session must succeed', scenario)

replayTest.fails('… and one that fails fails the test', {
  ...scenario,
  simulator: { speed: Number.POSITIVE_INFINITY, faults: [{ when: { nth: 2 }, do: { kind: 'status', status: 500 } }] },
})

replayTest.skip('skipped', scenario, () => expect.unreachable())
replayTest.skipIf(true)('skipped on a condition', scenario, () => expect.unreachable())
replayTest.runIf(true)('run on a condition', scenario)
replayTest.todo('to be written')

plain('a missing scenario is refused where it is missing', () => {
  const define = replayTest as (...args: unknown[]) => void
  expect(() => define('agents', () => {})).toThrow('replayTest("agents"): the second argument is the scenario, an object')
  expect(() => define('agents')).toThrow('the second argument is the scenario')
  expect(() => define('agents', null)).toThrow('the second argument is the scenario')
})

describe('a scenario of a suite', () => {
  const seen = new Set<Run>()
  test.override('scenario', scenario)

  test('is replayed once', ({ run }) => {
    seen.add(run)
    expect(run.name).toBe('a scenario of a suite')
  })

  test('for all of its tests', ({ run }) => {
    seen.add(run)
    expect(seen.size).toBe(1)
  })
})

test.fails('a run without a scenario is refused', ({ run }) => {
  void run
})
