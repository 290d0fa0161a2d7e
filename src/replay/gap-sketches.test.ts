import { expect, test } from 'vitest'
import { requestRecord } from '../metrics/run-record.fixture.ts'
import { GapSketches } from './gap-sketches.ts'

test('keeps the gaps of all, and of each kind of call', () => {
  const gaps = new GapSketches()
  gaps.add(requestRecord({ name: 'plan', model: 'm', agent: 'planner' }), [0, 10, 30])
  gaps.add(requestRecord({ name: 'write', model: 'm' }), [0, 5])
  gaps.add(requestRecord({ name: 'write', model: 'm' }), [0, 7])
  gaps.add(requestRecord({ name: 'one chunk', model: 'm' }), [0])
  const { interTokenLatency, interTokenLatencyBy } = gaps.toRecord()
  expect(interTokenLatency).toMatchObject({ count: 4, min: 5, max: 20 })
  expect(interTokenLatencyBy).toMatchObject([
    { name: 'plan', model: 'm', agent: 'planner', digest: { count: 2, min: 10, max: 20 } },
    { name: 'write', model: 'm', digest: { count: 2, min: 5, max: 7 } },
  ])
})

test('with too many kinds of call only the whole is kept, and nothing is lost of it', () => {
  const gaps = new GapSketches()
  for (let kind = 0; kind < 100; kind++) gaps.add(requestRecord({ name: `call ${kind}` }), [0, 1 + kind])
  const record = gaps.toRecord()
  expect(record.interTokenLatency).toMatchObject({ count: 100, min: 1, max: 100 })
  expect(record).not.toHaveProperty('interTokenLatencyBy')
})

test('a stage without gaps has none', () => {
  expect(new GapSketches().toRecord()).toEqual({ interTokenLatency: { count: 0, min: null, max: null, centroids: [] } })
})
