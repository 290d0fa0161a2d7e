import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { type ManualClock, manualClock } from '../base/manual-clock.fixture.ts'
import type { ReplayGraph } from '../graph/index.ts'
import { chain, graphOf } from './graph.fixture.ts'
import { planReplay } from './options-schema.ts'
import { RunRecorder } from './run-recorder.ts'
import { LocalHost, type SessionOrder } from './session-host.ts'
import { drive, failing, saying, scriptedEndpoint, virtualRun, workloadOf } from './virtual-run.fixture.ts'

const ONE_AT_A_TIME = [{ concurrentSessions: 1 }]

function times(run: Awaited<ReturnType<typeof virtualRun>>): Record<string, number | null> {
  return Object.fromEntries(run.recorder.requests.map((request) => [request.call, request.sentMs]))
}

/** One session, without a stage around it. */
function replayAlone(
  graph: ReplayGraph,
  clock: ManualClock,
  order: Partial<SessionOrder> & Pick<SessionOrder, 'signal'>,
  answer: Parameters<typeof scriptedEndpoint>[1] = () => ({}),
): Promise<unknown> {
  const { policy } = planReplay({ workload: workloadOf([]), stages: ONE_AT_A_TIME })
  const timeouts = { connectMs: 1, firstTokenMs: 1, idleMs: 1, callMs: 1 }
  const target = { timeouts, kind: 'simulator', models: {}, attributeHeaders: {} } as const
  const host = new LocalHost(clock, scriptedEndpoint(clock, answer).endpoint, target, policy)
  const start = { stage: 0, openLoop: false, originMs: 0, intendedMs: 0, dueMs: 0 }
  const drawn = { id: graph.session.id, recordedId: graph.session.id, graph, marker: '' }
  return host.replay(drawn, { ...start, recorder: new RunRecorder(), onOutcome() {}, ...order })
}

test('branches are in flight together and a join waits for all of them', async () => {
  const graph = graphOf('s', [
    { id: 'root' },
    { id: 'a', after: ['root'] },
    { id: 'b', after: ['root'] },
    { id: 'join', after: ['a', 'b'] },
  ])
  const slowB = (request: { messages: readonly unknown[] }) => ({
    latencyMs: JSON.stringify(request.messages).includes('of b') ? 700 : 100,
  })
  const run = await virtualRun({ graphs: [graph], stages: ONE_AT_A_TIME }, slowB)
  expect(times(run)).toEqual({ root: 0, a: 100, b: 100, join: 800 })
  expect(run.peakInFlight).toBe(2)
})

test.each([
  ['late, its first call was ready when the session was due', 50, 50],
  ['early, its first call was ready when it started', 81, 80],
])('a session that starts %s', async (_when, dueMs, readyMs) => {
  const clock = manualClock(80)
  const recorder = new RunRecorder()
  const { signal } = new AbortController()
  await drive(clock, replayAlone(chain('s', 1), clock, { openLoop: true, intendedMs: 20, dueMs, recorder, signal }))
  expect(recorder.requests).toMatchObject([{ readyMs, sentMs: 80 }])
  expect(recorder.sessions).toMatchObject([{ intendedMs: 20, startMs: 80 }])
})

test('a recorded wait passes before a call, scaled and capped', async () => {
  const graphs = [chain('s', 3, 1_000)]
  expect(times(await virtualRun({ graphs, stages: ONE_AT_A_TIME }))).toEqual({ c0: 0, c1: 1_100, c2: 2_200 })
  expect(times(await virtualRun({ graphs, stages: ONE_AT_A_TIME, timeScale: 0.5 }))).toEqual({ c0: 0, c1: 600, c2: 1_200 })
  expect(times(await virtualRun({ graphs, stages: ONE_AT_A_TIME, timeScale: 0 }))).toEqual({ c0: 0, c1: 100, c2: 200 })
  expect(times(await virtualRun({ graphs, stages: ONE_AT_A_TIME, maxWait: '300ms' }))).toEqual({ c0: 0, c1: 400, c2: 800 })
})

test('a session of 150 chained calls with a failure at call 75 ends with 74 done, 1 failed, 75 cancelled', async () => {
  const run = await virtualRun({ graphs: [chain('s', 150, 5)], stages: ONE_AT_A_TIME }, (_, n) =>
    n === 74 ? { result: failing() } : {},
  )
  expect(run.recorder.sessions).toMatchObject([
    { state: 'failed', calls: { succeeded: 74, failed: 1, cancelled: 75, cutOff: 0 }, error: { label: 'http_500', call: 'c74' } },
  ])
  expect(run.recorder.requests).toHaveLength(150)
  expect(run.clock.pending).toBe(0)
})

test("a failure cancels the session's other branches, waiting or blocked, and lets what is in flight end", async () => {
  const graph = graphOf('s', [
    { id: 'root' },
    { id: 'fails', after: ['root'] },
    { id: 'flying', after: ['root'] },
    { id: 'waiting', after: ['root'], waitMs: 10_000 },
    { id: 'blocked', after: ['flying'] },
  ])
  const run = await virtualRun({ graphs: [graph], stages: ONE_AT_A_TIME }, (request) => {
    const asked = JSON.stringify(request.messages)
    if (asked.includes('of fails')) return { result: failing(), latencyMs: 50 }
    return asked.includes('of flying') ? { latencyMs: 500 } : {}
  })
  const states = Object.fromEntries(run.recorder.requests.map((request) => [request.call, request.state]))
  expect(states).toEqual({ root: 'succeeded', fails: 'failed', flying: 'succeeded', waiting: 'cancelled', blocked: 'cancelled' })
  expect(run.recorder.sessions).toMatchObject([{ state: 'failed', endMs: 600 }])
})

test("'cancel-dependents' cancels only what needs the failed call", async () => {
  const graph = graphOf('s', [
    { id: 'root' },
    { id: 'fails', after: ['root'] },
    { id: 'below', after: ['fails'] },
    { id: 'further', after: ['below'] },
    { id: 'other', after: ['root'] },
    { id: 'after-other', after: ['other'] },
  ])
  const run = await virtualRun({ graphs: [graph], stages: ONE_AT_A_TIME, onCallFailure: 'cancel-dependents' }, (request) =>
    JSON.stringify(request.messages).includes('of fails') ? { result: failing() } : {},
  )
  const states = Object.fromEntries(run.recorder.requests.map((request) => [request.call, request.state]))
  expect(states).toEqual({
    root: 'succeeded',
    fails: 'failed',
    below: 'cancelled',
    further: 'cancelled',
    other: 'succeeded',
    'after-other': 'succeeded',
  })
  expect(run.recorder.sessions).toMatchObject([{ state: 'failed' }])
})

test("a later call carries its predecessor's live output", async () => {
  const graph = graphOf('s', [
    { id: 'a' },
    {
      id: 'b',
      after: ['a'],
      messages: [
        { role: 'user', parts: [{ type: 'text', text: 'question of a' }] },
        { role: 'assistant', parts: [{ type: 'text', text: 'answer of a' }] },
      ],
      splices: [{ kind: 'message', message: 1, from: 'a' }],
    },
  ])
  const answer = (_: unknown, n: number) => ({ result: saying(`live ${n}`) })
  const live = await virtualRun({ graphs: [graph], stages: ONE_AT_A_TIME }, answer)
  expect(live.sent[1]?.request.messages[1]).toMatchObject({ parts: [{ text: 'live 0' }] })
  expect(live.recorder.requests[1]?.splices).toMatchObject({ live: 1, diverged: 0 })
  const recorded = await virtualRun({ graphs: [graph], stages: ONE_AT_A_TIME, substitute: 'recorded' }, answer)
  expect(recorded.sent[1]?.request.messages[1]).toMatchObject({ parts: [{ text: 'answer of a' }] })
})

const MALFORMED = {
  result: {
    state: 'ok',
    finishReason: 'tool_calls',
    message: { role: 'assistant', parts: [{ type: 'tool_call', id: 'x', name: 'f', arguments: '{"a":' }] },
  },
} as const

test("a malformed tool call fails the call only where 'fail' is asked for", async () => {
  const graphs = [chain('s', 2)]
  const lenient = await virtualRun({ graphs, stages: ONE_AT_A_TIME }, (_, n) => (n === 0 ? MALFORMED : {}))
  expect(lenient.recorder.sessions).toMatchObject([{ state: 'succeeded' }])
  const strict = await virtualRun({ graphs, stages: ONE_AT_A_TIME, onMalformedToolCall: 'fail' }, (_, n) =>
    n === 0 ? MALFORMED : {},
  )
  expect(strict.recorder.sessions).toMatchObject([{ state: 'failed', error: { label: 'malformed_tool_call' } }])
})

test('a wait runs from the end of the last predecessor as the socket saw it', async () => {
  const run = await virtualRun({ graphs: [chain('s', 2, 40)], stages: ONE_AT_A_TIME })
  expect(run.recorder.requests[1]).toMatchObject({ readyMs: 100, waitMs: 40, sentMs: 140 })
})

test('a call that throws inside the engine rejects the run instead of hanging it', async () => {
  const broken = graphOf('s', [{ id: 'a' }])
  await expect(
    virtualRun({ graphs: [broken], stages: ONE_AT_A_TIME }, () => {
      throw new Error('a fault of our own')
    }),
  ).rejects.toThrow('a fault of our own')
})

test.each([
  ['has ended', () => ({})],
  [
    'met a fault of our own',
    () => {
      throw new Error('a fault of our own')
    },
  ],
])('a session that %s hears of no abort any more', async (_how, answer) => {
  const clock = manualClock()
  const { signal } = new AbortController()
  await drive(
    clock,
    replayAlone(chain('s', 2, 1_000), clock, { signal }, answer).catch(() => {}),
  )
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test.each(['at its end', 'when it is cut off'])(
  'what cannot be recorded of a session %s rejects the run instead of hanging it',
  async (when) => {
    const clock = manualClock()
    const end = new AbortController()
    const recorder = new RunRecorder(() => {
      throw new Error('no room for the record')
    })
    const running = replayAlone(graphOf('s', [{ id: 'a', waitMs: 1_000 }]), clock, { recorder, signal: end.signal })
    if (when === 'when it is cut off') end.abort()
    await expect(drive(clock, running)).rejects.toThrow('no room for the record')
  },
)

test('a session starts with its first request, whichever of several roots ends first', async () => {
  const graph = graphOf('s', [{ id: 'slow' }, { id: 'quick', waitMs: 30 }])
  const run = await virtualRun({ graphs: [graph], stages: ONE_AT_A_TIME }, (_, n) => ({ latencyMs: n === 0 ? 500 : 10 }))
  expect(run.recorder.sessions).toMatchObject([{ startMs: 0, endMs: 500 }])
})

test('connecting is part of no latency, unless it is to be', async () => {
  const latencies = async (includeConnect: boolean) => {
    const given = { graphs: [chain('s', 2)], stages: ONE_AT_A_TIME, includeConnect }
    const { recorder } = await virtualRun(given, () => ({ latencyMs: 100, connectMs: 30 }))
    return recorder.requests.map(({ sentMs, connectMs, endMs }) => [sentMs, connectMs, endMs])
  }
  expect(await latencies(false)).toEqual([
    [30, 30, 100],
    [130, 30, 200],
  ])
  expect(await latencies(true)).toEqual([
    [0, 0, 100],
    [100, 0, 200],
  ])
})
