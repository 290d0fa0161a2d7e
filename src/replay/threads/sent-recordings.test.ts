import { expect, test } from 'vitest'
import { chain } from '../graph.fixture.ts'
import { SentRecordings } from './sent-recordings.ts'
import type { ToThread } from './thread-protocol.ts'

test('a recording is sent when a session first needs it, and again once it was forgotten', () => {
  const posted: ToThread[] = []
  const recordings = new SentRecordings((message) => void posted.push(message))
  const [a, b] = [chain('a', 1), chain('b', 1)]
  const [first, same, other] = [recordings.take(a), recordings.take(a), recordings.take(b)]
  expect(same).toBe(first)
  recordings.release(a)
  expect(posted).toEqual([
    { type: 'recording', key: first, graph: a },
    { type: 'recording', key: other, graph: b },
  ])
  recordings.release(a)
  const again = recordings.take(a)
  expect(posted.slice(2)).toEqual([
    { type: 'forget', key: first },
    { type: 'recording', key: again, graph: a },
  ])
  expect(new Set([first, other, again]).size).toBe(3)
})
