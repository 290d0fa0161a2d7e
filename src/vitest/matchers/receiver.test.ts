import { expect, test } from 'vitest'
import '../matchers.ts'
import { madeRun, messageOf } from '../run.fixture.ts'

const run = madeRun({ succeeded: [1_000] })

test.each<[string, unknown, string]>([
  ['nothing', undefined, 'received undefined.'],
  ['null', null, 'received null.'],
  ['a number', 0.99, 'received the number 0.99.'],
  ['a promise of a run', Promise.resolve(run), 'Did you forget to await it?'],
  ["a test's context", { run }, 'Take the run out of it'],
  ['a figure of a run', run.workflowLatency, 'write `expect(run)`, not `expect(run.workflowLatency)`'],
  ['a record', run.record, 'Make a run of the record first'],
  ['stages', run.stages, 'received an array. Judge each one on its own'],
  ['a function', () => run, 'received a function.'],
  ['a class', new Map(), 'received a Map.'],
  ['an object without a prototype', Object.create(null), 'received an object.'],
])('%s is refused with the right use', (_, received, advice) => {
  const message = messageOf(() => expect(received).toHaveSessionSuccessRate(0.99))
  expect(message).toMatch(/^expect\(run\)\.toHaveSessionSuccessRate\(0\.99\)\n\nMatcher error: expected a run/)
  expect(message).toContain(advice)
})

test('the refusal is a TypeError whose stack starts outside of this package', () => {
  try {
    expect({ run }).toHaveWorkflowLatency({ p95: '45s' })
    expect.unreachable()
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError)
    expect((error as Error).stack).not.toMatch(/matchers\/(receiver|judge|latency-matcher)\.ts/)
    expect((error as Error).stack).toContain('receiver.test.ts')
  }
})

test('so is the stack of a misuse', () => {
  try {
    expect(run).toHaveWorkflowLatency({ p0: '45s' })
    expect.unreachable()
  } catch (error) {
    expect((error as Error).message).toContain('p0')
    expect((error as Error).stack).not.toMatch(/matchers\/(receiver|judge|latency-matcher|latency-limits)\.ts/)
    expect((error as Error).stack).toContain('receiver.test.ts')
  }
})

test('a wrong receiver is refused under `.not` too', () => {
  expect(messageOf(() => expect(undefined).not.toHaveThroughput({ requestsPerSecond: 1 }))).toContain(
    'expect(run).not.toHaveThroughput',
  )
})

test('a run of another copy of the package is taken', () => {
  // Neither of our class nor made from it.
  const copy = new Proxy({}, { has: (_, key) => key in run, get: (_, key) => Reflect.get(run, key) })
  expect(copy).toHaveSessionSuccessRate(1)
})

test('a stage and a part of a run are named as the user wrote them', () => {
  const [stage] = run.stages
  const fails = (received: unknown) => messageOf(() => expect(received).toHaveWorkflowLatency({ max: 1 })).split('\n')
  expect(fails(stage)[0]).toBe('expect(run.stages[0]).toHaveWorkflowLatency({ max: 1 })')
  expect(fails(run.where({ label: /ch/ }))).toMatchObject({
    0: 'expect(run.where({ label: /ch/ })).toHaveWorkflowLatency({ max: 1 })',
    2: 'Scenario: support agents, where { label: /ch/ }',
  })
  expect(fails(stage?.where({ model: 'm' }))[0]).toContain("expect(run.stages[0].where({ model: 'm' }))")
  expect(run.where({ session: 'good-1' })).toHaveSessionSuccessRate(1)
  expect(messageOf(() => expect(run.where({ label: 'plan' })).not.toHaveSessionSuccessRate(1))).toContain(
    "Received: not gradable: no request matches { label: 'plan' }. The run has labels",
  )
})
