import { expect, test } from 'vitest'
import { groupErrors } from './error-groups.ts'
import { requestRecord, sessionRecord, unsentRecord } from './run-record.fixture.ts'

function failed(session: string, label: string, message = label) {
  return requestRecord({ session, state: 'failed', error: { label, message, call: 'c1' } })
}

test('groups by label, most frequent first, each session once', () => {
  const requests = [
    failed('a', 'idle_timeout'),
    failed('b', 'http_503', 'first'),
    failed('c', 'http_503', 'second'),
    failed('c', 'http_503', 'third'),
    requestRecord({ session: 'd' }),
  ]
  expect(groupErrors([], requests)).toEqual([
    { label: 'http_503', count: 3, message: 'first', sessions: ['b', 'c'] },
    { label: 'idle_timeout', count: 1, message: 'idle_timeout', sessions: ['a'] },
  ])
})

test('equally frequent kinds stand by name, so that one run reads the same twice', () => {
  const labels = (requests: ReturnType<typeof failed>[]) => groupErrors([], requests).map(({ label }) => label)
  expect(labels([failed('a', 'truncated'), failed('b', 'dns')])).toEqual(['dns', 'truncated'])
})

test('a cancelled request is a consequence, not a failure', () => {
  const error = { label: 'http_503', message: 'busy' }
  const requests = [failed('a', 'http_503'), unsentRecord({ session: 'a', error })]
  expect(groupErrors([sessionRecord({ state: 'failed', error })], requests)).toMatchObject([{ label: 'http_503', count: 1 }])
})

test('a session that ended badly without a request to blame is not lost', () => {
  const sessions = [
    sessionRecord({ id: 'a', state: 'cut-off' }),
    sessionRecord({ id: 'b', state: 'failed', error: { label: 'bad_response', message: 'no tool call' } }),
    sessionRecord({ id: 'c', state: 'failed' }),
    sessionRecord({ id: 'd' }),
  ]
  expect(groupErrors(sessions, []).map(({ label, count, sessions: ids }) => [label, count, ids])).toEqual([
    ['bad_response', 1, ['b']],
    ['cut_off', 1, ['a']],
    ['unknown', 1, ['c']],
  ])
})

test('labels may be named like anything', () => {
  expect(groupErrors([], [failed('a', '__proto__'), failed('b', 'constructor')])).toHaveLength(2)
})
