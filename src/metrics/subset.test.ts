import { describe, expect, test } from 'vitest'
import { Run } from './run.ts'
import { digestOf, requestRecord, runRecord, sessionRecord, stageRecord } from './run-record.fixture.ts'

// Two sessions that plan with a large model and write with a small one; the second's writing fails.
const plan = { call: 'c1', name: 'plan', agent: 'planner', model: 'large' }
const write = { call: 'c2', name: 'write', model: 'small', after: ['c1'], readyMs: 410, sentMs: 410, firstOutputMs: 500 }
const failed = { state: 'failed', error: { label: 'http_503', message: 'busy' } } as const
const gaps = [
  { name: 'plan', agent: 'planner', model: 'large', digest: digestOf([40, 60]) },
  { name: 'write', model: 'small', digest: digestOf([10, 20, 30]) },
]
const record = runRecord({
  stages: [
    stageRecord({ interTokenLatency: digestOf([10, 20, 30, 40, 60]), interTokenLatencyBy: gaps }),
    stageRecord({ index: 1, warmup: true }),
  ],
  sessions: [
    sessionRecord({ id: 'a', endMs: 2_000 }),
    sessionRecord({ id: 'b', endMs: 1_000, state: 'failed' }),
    sessionRecord({ id: 'w', stage: 1, endMs: 5_000 }),
  ],
  requests: [
    requestRecord({ ...plan, session: 'a' }),
    requestRecord({ ...write, session: 'a', endMs: 2_000 }),
    requestRecord({ ...plan, session: 'b', firstOutputMs: 300 }),
    requestRecord({ ...write, session: 'b', endMs: 1_000, ...failed }),
    requestRecord({ ...plan, session: 'w', stage: 1 }),
  ],
})
const run = new Run(record)

test('figures of requests are over those that match', () => {
  expect(run.where({ model: 'large' }).timeToFirstToken.max()).toBe(300)
  expect(run.where({ model: 'large' }).requestCounts).toMatchObject({ total: 2, succeeded: 2 })
  expect(run.where({ label: 'write' }).requestCounts).toMatchObject({ total: 2, failed: 1 })
  expect(run.where({ label: /^pl/, session: 'a' }).requestCounts.total).toBe(1)
})

test('a label is a name or an agent', () => {
  expect(run.where({ label: 'planner' }).requests).toEqual(run.where({ label: 'plan' }).requests)
})

test('a label may be one that the options took from the spans', () => {
  const requests = record.requests.map((request, index) => (index === 0 ? { ...request, labels: { tenant: 'acme' } } : request))
  const labelled = new Run({ ...record, requests })
  const acme = labelled.where({ label: { tenant: /^ac/ } })
  expect(acme.requests).toHaveLength(1)
  expect(acme.interTokenLatency.absent).toContain('not per label of the spans')
  expect(labelled.where({ label: { tenant: 'other' } }).gradable).toMatchObject({
    reason: "no request matches { label: { tenant: 'other' } }. The run has labels 'tenant: acme'",
  })
  expect(new Run(record).where({ label: { plan: 'pro' } }).gradable).toMatchObject({
    reason:
      "no request matches { label: { plan: 'pro' } }. The run has no labels: name the span attribute in the option `labels`, such as { plan: 'plan' }",
  })
  expect(labelled.where({ label: { toString: 'x' } }).requests).toHaveLength(0)
})

test('figures of sessions are over whole sessions that have such a request', () => {
  const large = run.where({ model: 'large' })
  expect(large.sessionSuccessRate).toBe(0.5)
  expect(large.workflowLatency.quantile(0)).toBe(2_000)
  expect(large.worstSessions(1, 'successful')[0]?.path).toHaveLength(2)
  expect(run.where({ session: ({ state }) => state === 'succeeded' }).sessionSuccessRate).toBe(1)
})

test('warm-up is left out of a part of the run, and is there for a part of its stage', () => {
  expect(run.where({ session: 'w' }).requests).toHaveLength(0)
  expect(run.stages[1]?.where({ session: 'w' }).requests).toHaveLength(1)
})

describe('inter-token latency', () => {
  test('is that of the matching calls', () => {
    expect(run.where({ model: 'large' }).interTokenLatency.max()).toBe(60)
    expect(run.where({ label: 'planner' }).interTokenLatency.count).toBe(2)
    expect(run.where({ label: 'write' }).interTokenLatency.max('successful')).toBe(30)
    expect(run.where({ label: 'write' }).interTokenLatency.failures).toBeGreaterThan(0)
  })

  test('cannot be had per session, or where the run kept none per label', () => {
    const { interTokenLatency } = run.where({ label: 'plan', session: 'a' })
    expect(interTokenLatency.count).toBe(0)
    expect(interTokenLatency.absent).toBe('gaps between tokens are kept per model and name, not per session')
    const unsorted = new Run({ ...record, stages: [stageRecord({ interTokenLatency: digestOf([1]) })] })
    expect(unsorted.where({ label: 'plan' }).interTokenLatency.absent).toContain('too many')
  })
})

test('a part without a request is not gradable, and says what there is', () => {
  expect(run.where({ model: 'largo' }).gradable).toEqual({
    ok: false,
    reason: "no request matches { model: 'largo' }. The run has models 'large', 'small'",
  })
  expect(run.where({ label: 'x', session: 'a' }).gradable).toMatchObject({
    reason: "no request matches { label: 'x', session: 'a' }. The run has labels 'plan', 'planner', 'write'; sessions 'a', 'b'",
  })
})

test('a global expression means the same each time', () => {
  const label = /plan/g
  expect(run.where({ label }).requests).toHaveLength(2)
  expect(run.where({ label }).requests).toHaveLength(2)
})

test.each<[unknown, string]>([
  [undefined, 'where takes an object of conditions, not undefined'],
  [{}, 'where has no condition. Give at least one of model, label, session.'],
  [{ model: undefined }, 'where has no condition.'],
  [{ modell: 'x' }, 'unknown condition `modell`. Did you mean `model`?'],
  [{ toString: 'x' }, 'unknown condition `toString`.'],
  [{ model: 3 }, '`model` is 3, expected text or a regular expression.'],
  [{ label: () => true }, '`label` is [Function: label], expected text or a regular expression, or an object'],
  [{ label: {} }, '`label` is {}, expected text'],
  [{ label: { tenant: 3 } }, '`label` is { tenant: 3 }, expected text'],
])('%j is refused', (filter, message) => {
  expect(() => run.where(filter as { model: string })).toThrow(message)
})
