import { describe, expect, test } from 'vitest'
import '../matchers.ts'
import { madeRun, messageOf } from '../run.fixture.ts'

// One request takes one second: first output at 200 ms, the last at 990 ms, 11 tokens.
const run = madeRun({ succeeded: [1_000], gaps: [20, 40] })

const matchers = {
  toHaveRequestLatency: { exactly: 1_000, label: 'request latency' },
  toHaveTimeToFirstToken: { exactly: 200, label: 'TTFT' },
  toHaveTimePerOutputToken: { exactly: 79, label: 'TPOT' },
  toHaveInterTokenLatency: { exactly: 40, label: 'ITL' },
} as const

describe.each(Object.entries(matchers))('%s', (name, { exactly, label }) => {
  const matcher = name as keyof typeof matchers

  test('holds at its ceiling and not below', () => {
    expect(run)[matcher]({ max: exactly })
    expect(run).not[matcher]({ max: exactly - 0.5 })
  })

  test('says what it measured', () => {
    const message = messageOf(() => expect(run)[matcher]({ max: 1 }))
    expect(message).toContain(`expect(run).${name}({ max: 1 })`)
    expect(message).toContain(`Expected: ${label} max ≤ 1ms`)
    expect(message).toContain(`Received: ${label} max ${exactly === 1_000 ? '1s' : `${exactly}ms`}`)
  })

  test('counts failures as infinitely slow unless they are left out', () => {
    const half = madeRun({ succeeded: [1_000], failed: 1, gaps: [20, 40] })
    expect(half).not[matcher]({ max: '1h' })
    expect(half)[matcher]({ max: '1h' }, { over: 'successful' })
  })

  test('fails where no response carried it, under `.not` too', () => {
    const none = madeRun({
      succeeded: [1_000],
      differs: {
        requests: run.record.requests.map((request) => ({ ...request, endMs: null, firstOutputMs: null, outputTokens: 0 })),
      },
    })
    const reason = `Received: not gradable: no successful response carried ${label}`
    expect(messageOf(() => expect(none)[matcher]({ max: '1h' }))).toContain(reason)
    expect(messageOf(() => expect(none).not[matcher]({ max: 1 }))).toContain(reason)
  })

  test('refuses what is no limit, and names itself', () => {
    expect(() => expect(run)[matcher]({ p95: '45 parsecs' })).toThrow(`${name}: \`p95\`: "45 parsecs" is not a duration.`)
  })
})
