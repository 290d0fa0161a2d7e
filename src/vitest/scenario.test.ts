import { sep } from 'node:path'
import { expect, test } from 'vitest'
import { mergeScenario, type Scenario } from './scenario.ts'

const scenario: Scenario = { workload: { name: 'w', open: () => (async function* () {})() }, stages: [{ concurrentSessions: 1 }] }
const target = { kind: 'vllm', url: 'http://127.0.0.1:1' } as const

test('the scenario wins over the project', () => {
  const provided = { root: '/root', options: { timeScale: 0, maxWait: '1s' } }
  expect(mergeScenario({ ...scenario, timeScale: 2 }, provided)).toMatchObject({ timeScale: 2, maxWait: '1s' })
})

test('what is undefined in the scenario does not hide what the project says', () => {
  const undecided = { ...scenario, target: undefined, timeScale: undefined } as unknown as Scenario
  expect(mergeScenario(undecided, { options: { target, timeScale: 0 } })).toMatchObject({ target, timeScale: 0 })
})

test('a target in the scenario replaces the simulator of the project, and the other way round', () => {
  const simulated = { options: { simulator: { speed: 10 } } }
  expect(mergeScenario({ ...scenario, target }, simulated)).not.toHaveProperty('simulator')
  expect(mergeScenario({ ...scenario, simulator: {} }, { options: { target } })).not.toHaveProperty('target')
  expect(mergeScenario(scenario, simulated)).toMatchObject({ simulator: { speed: 10 } })
})

test('both in one scenario are left for the replay to refuse', () => {
  expect(mergeScenario({ ...scenario, target, simulator: {} }, undefined)).toMatchObject({ target, simulator: {} })
})

test('paths are relative to the project’s root', () => {
  expect(mergeScenario(scenario, { root: '/root', options: {} }).cwd).toBe('/root')
  expect(mergeScenario({ ...scenario, cwd: 'sub' }, { root: '/root', options: {} }).cwd).toBe(`/root${sep}sub`)
  expect(mergeScenario({ ...scenario, cwd: '/other' }, { root: '/root', options: {} }).cwd).toBe('/other')
})

test('without the plugin they are relative to the working directory', () => {
  expect(mergeScenario(scenario, undefined).cwd).toBe(process.cwd())
})

test.each(['signal', 'onProgress', 'onWorkloadProgress'])('%s is Vitest’s to set', (name) => {
  expect(() => mergeScenario({ ...scenario, [name]: undefined }, undefined)).toThrow(`\`${name}\` is set by Vitest.`)
})
