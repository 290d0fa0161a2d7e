import { expect, test } from 'vitest'
import { type Clock, systemClock } from '../base/index.ts'
import { createEndpoint, resolveTarget, type TargetOptions } from '../endpoint/index.ts'
import { Run } from '../metrics/index.ts'
import type { FaultAction, SimulatorOptions } from '../simulator/index.ts'
import { startSimulator } from '../simulator/index.ts'
import { assistant, chain, graphOf, text, toolCall, toolResult } from './graph.fixture.ts'
import { measure } from './measurement.ts'
import { planReplay } from './options-schema.ts'
import { replay } from './replay.ts'
import { workloadOf } from './virtual-run.fixture.ts'

const AT_ONCE: SimulatorOptions = { speed: Number.POSITIVE_INFINITY }

const HIT = graphOf('broken', [
  { id: 'first', outputTokens: 6 },
  { id: 'second', after: ['first'], messages: [text('user', 'break here')], outputTokens: 6 },
  { id: 'third', after: ['second'], outputTokens: 6 },
])
const HEALTHY = Array.from({ length: 5 }, (_, i) => chain(`healthy-${i}`, 3))

/** The session named `broken` meets the fault at its second call; five healthy ones run beside it. */
async function runWithFault(fault: FaultAction) {
  const simulator = await startSimulator({ ...AT_ONCE, faults: [{ when: { textIncludes: 'break here' }, do: fault }] })
  try {
    const run = await replay({
      workload: workloadOf([HIT, ...HEALTHY]),
      target: { kind: 'simulator', url: simulator.url },
      stages: [{ concurrentSessions: 3 }],
    })
    await everySocketClosed()
    const broken = run.sessions.find((session) => session.id === 'broken')
    return { run, broken, others: run.sessions.filter((session) => session.id !== 'broken') }
  } finally {
    await simulator.close()
  }
}

/** Of both sides: this process holds the server's, too. */
async function everySocketClosed(): Promise<void> {
  const open = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap')
  await expect.poll(open, { interval: 1 }).toEqual([])
}

test.each<[string, FaultAction, string]>([
  ['a 500', { kind: 'status', status: 500 }, 'http_500'],
  ['a 429 with Retry-After', { kind: 'status', status: 429, retryAfter: 7 }, 'http_429'],
  ['a 502 in HTML', { kind: 'status', status: 502, body: '<html><title>Bad Gateway</title></html>' }, 'http_502'],
  ['a 503 with nothing in it', { kind: 'status', status: 503, body: '' }, 'http_503'],
  ['a stream that just ends', { kind: 'cut', afterChunks: 2 }, 'truncated'],
  ['a closed connection', { kind: 'cut', afterChunks: 2, how: 'close' }, 'connection_reset'],
  ['a reset', { kind: 'cut', afterChunks: 2, how: 'reset' }, 'connection_reset'],
  ['an error inside the stream', { kind: 'stream-error', afterChunks: 2 }, 'stream_error'],
  ['bytes that are no JSON', { kind: 'garbage', afterChunks: 1, data: 'data: {"half\n\n' }, 'bad_response'],
  ['an answer without output', { kind: 'empty' }, 'empty_output'],
  ['neither finish_reason nor [DONE]', { kind: 'omit', parts: ['finish_reason', 'done'] }, 'truncated'],
])('%s fails its session as %s, and the others complete', async (_, fault, label) => {
  const { run, broken, others } = await runWithFault(fault)
  expect(broken).toMatchObject({
    state: 'failed',
    calls: { succeeded: 1, failed: 1, cancelled: 1 },
    error: { label, call: 'second' },
  })
  expect(others.map((session) => session.state)).toEqual(Array(5).fill('succeeded'))
  expect(run.sessionSuccessRate).toBeCloseTo(5 / 6)
  expect(run.errors).toMatchObject([{ label, count: 1, sessions: ['broken'] }])
})

const LIMIT_MS = 60_000

test.each<[string, FaultAction, label: string, limit: 'firstTokenMs' | 'idleMs' | 'callMs']>([
  ['silence before the response', { kind: 'stall', after: 'accept' }, 'first_token_timeout', 'firstTokenMs'],
  ['silence after the headers', { kind: 'stall', after: 'headers' }, 'first_token_timeout', 'firstTokenMs'],
  ['silence in mid-stream', { kind: 'stall', after: { chunks: 2 } }, 'idle_timeout', 'idleMs'],
  ['a call that takes too long', { kind: 'stall', after: { chunks: 2 } }, 'call_timeout', 'callMs'],
])('%s fails its session at the limit as %s, and the others complete', async (_, fault, label, limit) => {
  const simulator = await startSimulator({ ...AT_ONCE, faults: [{ when: { textIncludes: 'break here' }, do: fault }] })
  try {
    const never = Number.POSITIVE_INFINITY
    const timeouts = { connectMs: never, firstTokenMs: never, idleMs: never, callMs: never, [limit]: LIMIT_MS }
    const target = { ...resolveTarget({ kind: 'simulator', url: simulator.url }, {}), timeouts }
    const stages = [{ concurrentSessions: 3 }]
    const plan = planReplay({ workload: workloadOf([HIT, ...HEALTHY]), stages, journal: false })
    const clock = movableClock()
    let underWay = 1 + HEALTHY.length
    const measuring = measure(
      plan,
      { target, clock, createEndpoint: (warn) => createEndpoint(target, { clock, warn }) },
      { ended: () => underWay-- },
    )
    // Time passes once there is nothing left to do but wait.
    const isStalled = () => underWay === 1 && simulator.requests.some((request) => request.fault === 'stall')
    while (underWay > 0) {
      await new Promise((resolve) => setImmediate(resolve))
      if (isStalled()) clock.move(LIMIT_MS)
    }
    const run = new Run(await measuring)
    await everySocketClosed()
    expect(run.sessionCounts).toMatchObject({ succeeded: HEALTHY.length, failed: 1, cutOff: 0 })
    expect(run.sessions.find(({ id }) => id === 'broken')).toMatchObject({
      calls: { succeeded: 1, failed: 1, cancelled: 1 },
      error: { label, call: 'second' },
    })
    expect(run.errors).toMatchObject([{ label, count: 1, sessions: ['broken'] }])
  } finally {
    await simulator.close()
  }
})

/** The system's clock, which can be moved on as well: timers that have become due run. */
function movableClock(): Clock & { move(ms: number): void } {
  const pending = new Set<{ readonly dueMs: number; readonly fire: () => void }>()
  let movedMs = 0
  const now = () => systemClock.now() + movedMs
  return {
    now,
    after(delayMs, run) {
      const fire = () => {
        cancel()
        run()
      }
      const timer = systemClock.after(delayMs, fire)
      const entry = { dueMs: now() + delayMs, fire }
      const cancel = () => {
        timer.cancel()
        pending.delete(entry)
      }
      pending.add(entry)
      return { cancel }
    },
    move(ms) {
      movedMs += ms
      for (const { dueMs, fire } of [...pending]) if (dueMs <= now()) fire()
    },
  }
}

test.each<[string, FaultAction]>([
  ['a missing [DONE]', { kind: 'omit', parts: ['done'] }],
  ['a missing finish_reason', { kind: 'omit', parts: ['finish_reason'] }],
  ['a slow accept', { kind: 'slow-accept', ms: 5 }],
])('%s alone is no failure', async (_, fault) => {
  const { run } = await runWithFault(fault)
  expect(run.sessionSuccessRate).toBe(1)
})

test('a server without usage gives estimates, marked so', async () => {
  const { run } = await runWithFault({ kind: 'omit', parts: ['usage'] })
  const marked = run.requests.filter((request) => request.tokensEstimated)
  expect(marked.map((request) => `${request.session} ${request.call}`)).toEqual(['broken second'])
  expect(marked[0]?.outputTokens).toBeGreaterThan(0)
})

const WITH_TOOL = graphOf('agent', [
  {
    id: 'plan',
    tools: [{ name: 'find', parameters: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] } }],
    output: assistant(toolCall('r', 'find', '{"q":"x"}')),
  },
  {
    id: 'answer',
    after: ['plan'],
    messages: [text('user', 'question of plan'), assistant(toolCall('r', 'find', '{"q":"x"}')), toolResult('r', 'found')],
    splices: [{ kind: 'message', message: 1, from: 'plan' }],
  },
])

test.each([
  ['use-recorded', 1, 1],
  ['send', 0, 1],
  ['fail', 0, 0],
] as const)(
  "malformed arguments under '%s': %d divergences, success rate %d",
  async (onMalformedToolCall, diverged, successRate) => {
    const run = await replay({
      workload: workloadOf([WITH_TOOL]),
      // A strict server refuses arguments that are no JSON, so 'send' is shown against one that never looks.
      simulator: { ...AT_ONCE, faults: [{ when: { nth: 1 }, do: { kind: 'malformed-arguments' } }] },
      stages: [{ concurrentSessions: 1 }],
      onMalformedToolCall,
    })
    expect(run.sessionSuccessRate).toBe(successRate)
    expect(run.requests.reduce((sum, request) => sum + request.splices.diverged, 0)).toBe(diverged)
  },
)

test.each(['target without such a path', 'model it does not serve'])('a %s is one error that says what to do', async (which) => {
  const simulator = await startSimulator({ ...AT_ONCE, models: ['served-model'] })
  try {
    const wrongPath = which.startsWith('target')
    const target: TargetOptions = {
      kind: 'openai',
      apiKey: 'k',
      url: wrongPath ? `${simulator.url}/somewhere/else` : simulator.url,
      model: wrongPath ? 'served-model' : 'another-model',
    }
    await expect(
      replay({ workload: workloadOf([chain('s', 2)]), target, stages: [{ concurrentSessions: 1 }] }),
    ).rejects.toMatchObject({
      code: 'TARGET_UNREACHABLE',
      message: expect.stringContaining(wrongPath ? '/somewhere/else' : 'another-model'),
    })
  } finally {
    await simulator.close()
  }
})

test('an aborted run closes its sockets and still gives what was measured', async () => {
  const simulator = await startSimulator({
    ...AT_ONCE,
    faults: [{ when: { nth: [5, 6] }, do: { kind: 'stall', after: 'headers' } }],
  })
  const controller = new AbortController()
  try {
    const sessions = Array.from({ length: 20 }, (_, i) => chain(`s${i}`, 2))
    const running = replay({
      workload: workloadOf(sessions),
      target: { kind: 'simulator', url: simulator.url },
      stages: [{ concurrentSessions: 2 }],
      signal: controller.signal,
    })
    await expect.poll(() => simulator.requests.length).toBeGreaterThanOrEqual(6)
    controller.abort()
    const run = await running
    await everySocketClosed()
    expect(run.sessionCounts).toMatchObject({ succeeded: 2, cutOff: 2, total: 4 })
    expect(run.warnings).toMatchObject([
      { code: 'sessions-never-started', message: expect.stringMatching(/^16 of the sessions/) },
      { code: 'run-aborted' },
    ])
    expect(run.gradable.ok).toBe(false)
  } finally {
    await simulator.close()
  }
})
