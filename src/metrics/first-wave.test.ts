import { expect, test } from 'vitest'
import { firstWaveWarning } from './first-wave.ts'
import { requestRecord, sessionRecord, stageRecord } from './run-record.fixture.ts'

/** Five at a time; each session one call, with the TTFT given. */
function warningFor(ttfts: readonly number[], stage: Parameters<typeof stageRecord>[0] = { concurrentSessions: 5 }) {
  const sessions = ttfts.map((_, k) => sessionRecord({ id: `s${k}`, intendedMs: k, startMs: k }))
  const requests = ttfts.map((ttftMs, k) => requestRecord({ session: `s${k}`, sentMs: k, firstOutputMs: k + ttftMs }))
  return firstWaveWarning(stageRecord(stage), sessions, requests)
}
const sessions = (first: number, later: number) => [...Array(5).fill(first), ...Array(20).fill(later)]

test('a cold start is named, with both figures and the way out', () => {
  expect(warningFor(sessions(1_200, 300))).toEqual({
    code: 'first-wave-differs',
    where: 'stages[0]',
    message:
      'The first 5 sessions had a TTFT of 1.2s (median), the 20 after them 300ms: a server that is still cold, or a burst that does not come again. A stage with `warmup: true` before this one keeps it out of the figures.',
  })
})

test('a first wave that is the faster one differs too', () => {
  expect(warningFor(sessions(100, 300))?.code).toBe('first-wave-differs')
})

test.each<[name: string, warning: ReturnType<typeof warningFor>]>([
  ['alike', warningFor(sessions(300, 310))],
  ['twice as slow, by a few milliseconds', warningFor(sessions(20, 8))],
  ['a warm-up', warningFor(sessions(1_200, 300), { concurrentSessions: 5, warmup: true })],
  ['too few afterwards', warningFor([...Array(5).fill(1_200), ...Array(4).fill(300)])],
  ['too few at first', warningFor(sessions(1_200, 300), { concurrentSessions: 4 })],
  ['nothing', warningFor([])],
])('nothing is said of a first wave that is %s', (_name, warning) => {
  expect(warning).toBeUndefined()
})
