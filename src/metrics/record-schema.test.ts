import { expect, test } from 'vitest'
import { parseRunRecord } from './record-schema.ts'
import { runRecord } from './run-record.fixture.ts'

test('a record comes back from JSON as it was', () => {
  const record = runRecord()
  expect(parseRunRecord(JSON.parse(JSON.stringify(record)), 'x')).toEqual(record)
})

test('a field of a later version is kept', () => {
  const later = { ...runRecord(), more: { a: 1 } }
  expect(parseRunRecord(later, 'x')).toEqual(later)
})

test.each<[name: string, change: object, path: string]>([
  ['a version that is none', { version: 'x' }, 'version'],
  ['no date', { startedAt: 'yesterday' }, 'startedAt'],
  ['a time that is no number', { durationMs: Number.NaN }, 'durationMs'],
  ['a hash that is none', { workload: { name: 'w', hash: 'x; rm', recordedSessions: 1 } }, 'workload.hash'],
  ['requests that are none', { requests: [{}] }, 'requests.0'],
  ['nothing', { sessions: null }, 'sessions'],
])('refuses %s, and says where', (_name, change, path) => {
  expect(() => parseRunRecord({ ...runRecord(), ...change }, 'run.json')).toThrow(
    expect.objectContaining({ code: 'UNREADABLE_RECORD', message: expect.stringContaining(`\`${path}`) }),
  )
})

test('a record of another release is told from a broken one', () => {
  expect(() => parseRunRecord({ version: 2, all: 'else' }, 'run.json')).toThrow(
    'run.json: a record of version 2, expected version 1. Read it with the release of vitest-trace-replay that wrote it.',
  )
})

test('refuses centroids out of order', () => {
  const [stage] = runRecord().stages
  const interTokenLatency = {
    count: 2,
    min: 1,
    max: 2,
    centroids: [
      [2, 1],
      [1, 1],
    ],
  }
  expect(() => parseRunRecord({ ...runRecord(), stages: [{ ...stage, interTokenLatency }] }, 'x')).toThrow('order of their means')
})
