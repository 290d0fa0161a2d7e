import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../base/index.ts'
import { manualClock } from '../../base/manual-clock.fixture.ts'
import { resolveTarget } from '../../endpoint/index.ts'
import type { ReplayGraph } from '../../graph/index.ts'
import { type Simulator, startSimulator } from '../../simulator/index.ts'
import { Corpus } from '../../workload/index.ts'
import { chain } from '../graph.fixture.ts'
import type { ReplayOptions } from '../options.ts'
import { planReplay } from '../options-schema.ts'
import { RunRecorder } from '../run-recorder.ts'
import { runStages } from '../run-stages.ts'
import { workloadOf } from '../virtual-run.fixture.ts'
import { type InProcessThread, inProcessThread } from './in-process-thread.fixture.ts'
import { type Thread, ThreadPool } from './thread-pool.ts'

let simulator: Simulator

beforeEach(async () => {
  simulator = await startSimulator({ prefillTokensPerSecond: 1e6, decodeStepMs: 0.1 })
})
afterEach(() => simulator.close())

interface Given {
  readonly graphs: readonly ReplayGraph[]
  readonly stages: ReplayOptions['stages']
  readonly threads?: number
  readonly model?: string
  readonly signal?: AbortSignal
  /** Told of each thread as it starts. */
  readonly onThread?: (thread: InProcessThread, n: number) => void
  readonly start?: () => Thread
}

async function replayOnThreads({ graphs, stages, threads = 2, model = 'm', signal, onThread, start }: Given) {
  const recorder = new RunRecorder()
  const plan = planReplay({ workload: workloadOf(graphs), stages, ...(signal === undefined ? {} : { signal }) })
  const target = resolveTarget({ kind: 'vllm', url: simulator.url, ...(model === '' ? {} : { model }) }, {})
  const started: InProcessThread[] = []
  const startThread = () => {
    const thread = inProcessThread()
    started.push(thread)
    onThread?.(thread, started.length)
    return thread
  }
  const pool = new ThreadPool(
    threads,
    { clock: systemClock, target, policy: plan.policy, warn: recorder.warn },
    start ?? startThread,
  )
  const corpus = new Corpus(plan.workload, { cwd: '.', warn: recorder.warn, onInvalidTrace: 'fail' }, 'none')
  const originMs = systemClock.now()
  let delays: Awaited<ReturnType<ThreadPool['close']>> = []
  try {
    await runStages(plan, { clock: systemClock, originMs, host: pool, recorder, corpus })
  } finally {
    delays = await pool.close()
  }
  return { recorder, started, delays, durationMs: systemClock.now() - originMs }
}

const chains = (count: number, calls = 2) => Array.from({ length: count }, (_, i) => chain(`s${i}`, calls))

test('sessions on several threads are recorded as on one, on one time line', async () => {
  const { recorder, started, delays, durationMs } = await replayOnThreads({
    graphs: chains(12),
    stages: [{ concurrentSessions: 4 }],
    threads: 3,
  })
  expect(recorder.sessions.map(({ id, state, calls }) => `${id} ${state} ${calls.succeeded}`).sort()).toEqual(
    chains(12)
      .map(({ session }) => `${session.id} succeeded 2`)
      .sort(),
  )
  expect(recorder.requests).toHaveLength(24)
  for (const { readyMs, sentMs, firstOutputMs, endMs } of recorder.requests) {
    const times = [0, readyMs, sentMs, firstOutputMs, endMs, durationMs].map(Number)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  }
  expect(recorder.stages[0]?.interTokenLatency.count).toBeGreaterThan(0)
  expect(recorder.progress().sessions.inFlight).toBe(0)
  expect(recorder.progress().requests.inFlight).toBe(0)
  expect(started).toHaveLength(3)
  expect(delays).toHaveLength(3)
  const share = started.map(({ received }) => received.filter(({ type }) => type === 'session').length)
  expect(share.reduce((sum, count) => sum + count)).toBe(12)
  expect(Math.min(...share)).toBeGreaterThan(0)
})

test('a thread is sent a recorded session once for all that replay it at a time, and forgets it after the last', async () => {
  const { recorder, started } = await replayOnThreads({ graphs: chains(1), stages: [{ concurrentSessions: 6, sessions: 12 }] })
  expect(recorder.sessions.filter(({ state }) => state === 'succeeded')).toHaveLength(12)
  let sent = 0
  for (const { received } of started) {
    const held: number[] = []
    for (const message of received) {
      if (message.type === 'recording') {
        expect(held).toEqual([])
        sent++
        held.push(message.key)
      }
      if (message.type === 'session') expect(held).toEqual([message.recordingKey])
      if (message.type === 'forget') expect(held.pop()).toBe(message.key)
    }
    expect(held).toEqual([])
  }
  // Six start at once, three on each thread.
  expect(sent).toBeLessThanOrEqual(12 - 4)
})

test('never more sessions in flight over all threads than asked for', async () => {
  const { recorder } = await replayOnThreads({ graphs: chains(10), stages: [{ concurrentSessions: 3 }], threads: 2 })
  const changes = recorder.requests.flatMap(({ sentMs, endMs }) => [
    { at: Number(sentMs), by: 1 },
    { at: Number(endMs), by: -1 },
  ])
  let inFlight = 0
  const peak = changes
    .toSorted((a, b) => a.at - b.at || a.by - b.by)
    .reduce((most, { by }) => {
      inFlight += by
      return Math.max(most, inFlight)
    }, 0)
  expect(peak).toBeLessThanOrEqual(3)
  expect(recorder.sessions).toHaveLength(10)
})

test('a thread that crashes fails the sessions it had, and the run goes on', async () => {
  let crashed = false
  const { recorder, started } = await replayOnThreads({
    graphs: chains(10, 3),
    stages: [{ concurrentSessions: 4 }],
    onThread(thread, n) {
      if (n !== 1) return
      const { onMessage } = thread
      thread.onMessage = (receive) =>
        onMessage((message) => {
          receive(message)
          if (message.type !== 'events' || crashed) return
          crashed = true
          thread.crash(new Error('out of memory'))
        })
    },
  })
  expect(crashed).toBe(true)
  const failed = recorder.sessions.filter(({ state }) => state === 'failed')
  expect([1, 2]).toContain(failed.length)
  for (const { id, error, calls } of failed) {
    expect(error).toMatchObject({ label: 'client_thread_crashed', message: expect.stringContaining('out of memory') })
    expect(calls.succeeded + calls.failed + calls.cancelled).toBe(3)
    expect(calls.failed).toBeGreaterThan(0)
    expect(recorder.requests.filter(({ session }) => session === id)).toHaveLength(3)
  }
  expect(recorder.sessions.filter(({ state }) => state === 'succeeded')).toHaveLength(10 - failed.length)
  expect(recorder.warnings.map(({ code }) => code)).toContain('client-thread-crashed')
  expect(recorder.progress().requests.inFlight).toBe(0)
  // Another one has taken its place.
  expect(started).toHaveLength(3)
})

test('a thread that cannot even start ends the run', async () => {
  const start = (): Thread => ({
    postMessage() {},
    onMessage() {},
    terminate() {},
    onEnd: (ended) => void setImmediate(() => ended(new Error('no such module'))),
  })
  await expect(replayOnThreads({ graphs: chains(3), stages: [{ concurrentSessions: 1 }], start })).rejects.toThrow(
    'a thread of the load client could not start: no such module',
  )
})

test('opened, all threads are ready before the first session, and one that cannot start is told', async () => {
  const target = resolveTarget({ kind: 'vllm', url: simulator.url, model: 'm' }, {})
  const { policy } = planReplay({ workload: workloadOf([]), stages: [{ concurrentSessions: 1 }] })
  const run = { clock: systemClock, target, policy, warn: () => {} }
  const started: InProcessThread[] = []
  const ready: number[] = []
  const pool = new ThreadPool(3, run, () => {
    const thread = inProcessThread()
    const n = started.push(thread)
    const { onMessage } = thread
    thread.onMessage = (receive) =>
      onMessage((message) => {
        receive(message)
        if (message.type === 'ready') ready.push(n)
      })
    return thread
  })
  await pool.open()
  expect(ready).toHaveLength(3)
  await pool.open()
  expect(started).toHaveLength(3)
  await pool.close()

  const broken = new ThreadPool(2, run, () => ({
    postMessage() {},
    onMessage() {},
    terminate() {},
    onEnd: (ended) => void setImmediate(() => ended(new Error('no such module'))),
  }))
  await expect(broken.open()).rejects.toThrow('a thread of the load client could not start: no such module')
  await broken.close()
})

test('a thread that does not close when it is told to is ended', async () => {
  const clock = manualClock()
  let end: (error: Error | undefined) => void = () => {}
  const stuck: Thread = {
    postMessage() {},
    onMessage: (receive) => receive({ type: 'ready' }),
    terminate: () => end(undefined),
    onEnd: (ended) => {
      end = ended
    },
  }
  const target = resolveTarget({ kind: 'vllm', url: simulator.url, model: 'm' }, {})
  const { policy } = planReplay({ workload: workloadOf([]), stages: [{ concurrentSessions: 1 }] })
  const recorder = new RunRecorder()
  const pool = new ThreadPool(1, { clock, target, policy, warn: recorder.warn }, () => stuck)
  const order = { stage: 0, openLoop: false, originMs: 0, intendedMs: 0, dueMs: 0, recorder, onOutcome() {} }
  const drawn = { id: 's', recordedId: 's', graph: chain('s', 2), marker: '' }
  const running = pool.replay(drawn, { ...order, signal: new AbortController().signal })
  const closing = pool.close()
  clock.advance(60_000)
  await Promise.all([running, closing])
  expect(recorder.sessions).toMatchObject([{ state: 'failed', error: { label: 'client_thread_crashed' } }])
})

test('an error of ours in a thread is the same error here', async () => {
  await expect(
    replayOnThreads({ graphs: [chain('s', 1)].map(withoutModel), stages: [{ concurrentSessions: 1 }], model: '' }),
  ).rejects.toMatchObject({
    name: 'TraceReplayError',
    code: 'INVALID_OPTION',
    message: expect.stringContaining('names no model'),
  })
})

test('an abort reaches the sessions of every thread', async () => {
  const controller = new AbortController()
  const { recorder } = await replayOnThreads({
    graphs: chains(6, 50),
    stages: [{ concurrentSessions: 6 }],
    signal: controller.signal,
    onThread: (_thread, n) => n === 2 && setImmediate(() => controller.abort()),
  })
  expect(recorder.sessions.length).toBeGreaterThan(0)
  expect(recorder.sessions.every(({ state }) => state === 'cut-off')).toBe(true)
})

function withoutModel(graph: ReplayGraph): ReplayGraph {
  return { ...graph, nodes: graph.nodes.map((node) => ({ ...node, call: { ...node.call, model: '' } })) }
}
