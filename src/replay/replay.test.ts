import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { TraceReplayError } from '../base/index.ts'
import type { ReplayGraph } from '../graph/index.ts'
import { readJournal } from '../journal/index.ts'
import { Run } from '../metrics/index.ts'
import { assistant, chain, graphOf, text, toolCall, toolResult } from './graph.fixture.ts'
import type { ReplayOptions } from './options.ts'
import {
  type RecordingServer,
  startRecordingServer,
  type WireAnswer,
  type WireBody,
  type WireMessage,
} from './recording-server.fixture.ts'
import { replay } from './replay.ts'
import { workloadOf } from './virtual-run.fixture.ts'

let server: RecordingServer | undefined

afterEach(async () => {
  await server?.close()
  server = undefined
})

async function replayOnWire(
  graphs: readonly ReplayGraph[],
  answer: (body: WireBody) => WireAnswer | Promise<WireAnswer>,
  options: Partial<ReplayOptions> = {},
) {
  server = await startRecordingServer(answer)
  const run = await replay({
    workload: workloadOf(graphs),
    target: { kind: 'openai', url: server.url, apiKey: 'sk-test', model: 'live-model' },
    stages: [{ concurrentSessions: 4 }],
    ...options,
  })
  return { run, bodies: server.bodies }
}

const lastText = (body: WireBody) => JSON.stringify(body.messages.at(-1))

function expectNoDanglingIds(messages: readonly WireMessage[]): void {
  let open: string[] = []
  for (const message of messages) {
    if (message.role === 'tool') {
      expect(open).toContain(message.tool_call_id)
      open = open.filter((id) => id !== message.tool_call_id)
      continue
    }
    expect(open).toEqual([])
    if (message.tool_calls !== undefined) open = message.tool_calls.map((call) => call.id)
    expect(new Set(open).size).toBe(open.length)
  }
  expect(open).toEqual([])
}

const ASK = [text('user', 'look up both')]
const RECORDED_TURN = assistant(toolCall('rec_1', 'search', '{"q":"old"}'), toolCall('rec_2', 'fetch', '{"u":"old"}'))
const AFTER_TOOLS = [...ASK, RECORDED_TURN, toolResult('rec_1', 'SEARCHED'), toolResult('rec_2', 'FETCHED')]

/** plan → tools → answer → thanks, each carrying what came before. */
const AGENT = graphOf('agent', [
  { id: 'plan', messages: ASK, output: RECORDED_TURN },
  { id: 'answer', after: ['plan'], messages: AFTER_TOOLS, splices: [{ kind: 'message', message: 1, from: 'plan' }] },
  {
    id: 'thanks',
    after: ['answer'],
    messages: [...AFTER_TOOLS, text('assistant', 'answer of answer'), text('user', 'thanks')],
    splices: [
      { kind: 'message', message: 1, from: 'plan' },
      { kind: 'message', message: 4, from: 'answer' },
    ],
  },
])

function agentServer(calls: Extract<WireAnswer, { tool_calls: unknown }>['tool_calls']) {
  return (body: WireBody): WireAnswer => {
    if (body.messages.length === 1) return { tool_calls: calls }
    return { content: lastText(body).includes('thanks') ? 'you are welcome' : 'LIVE ANSWER' }
  }
}

const live = (id: string, name: string, args = '{"live":true}') => ({ id, name, arguments: args })

test("predecessors' live text and tool calls stand in later requests", async () => {
  const { run, bodies } = await replayOnWire([AGENT], agentServer([live('live_1', 'search'), live('live_2', 'fetch')]))
  expect(run.sessionSuccessRate).toBe(1)
  const last = bodies[2]?.messages ?? []
  expect(last[1]?.tool_calls?.map((call) => [call.id, call.function.arguments])).toEqual([
    ['live_1', '{"live":true}'],
    ['live_2', '{"live":true}'],
  ])
  expect(last[4]).toMatchObject({ role: 'assistant', content: 'LIVE ANSWER' })
  expectNoDanglingIds(last)
  expect(run.requests.map((request) => request.splices)).toEqual([
    { live: 0, diverged: 0 },
    { live: 1, diverged: 0, by: { context: { live: 1, diverged: 0 } } },
    { live: 2, diverged: 0, by: { context: { live: 1, diverged: 0 }, earlier: { live: 1, diverged: 0 } } },
  ])
})

test('when the model reorders its calls, each result still answers its own function', async () => {
  const { bodies } = await replayOnWire([AGENT], agentServer([live('live_f', 'fetch'), live('live_s', 'search')]))
  const messages = bodies[1]?.messages ?? []
  expect(messages.filter((message) => message.role === 'tool').map((message) => [message.tool_call_id, message.content])).toEqual(
    [
      ['live_s', 'SEARCHED'],
      ['live_f', 'FETCHED'],
    ],
  )
  expectNoDanglingIds(messages)
})

test.each([
  ['repeats a call', [live('l1', 'search'), live('l2', 'fetch'), live('l3', 'search')]],
  ['omits a call', [live('l1', 'fetch')]],
  ['makes one up', [live('l1', 'search'), live('l2', 'delete_everything')]],
  ['writes no JSON', [live('l1', 'search', '{"q":'), live('l2', 'fetch')]],
])('when the model %s, the recorded turn stands in, counted, and nothing dangles', async (_, calls) => {
  const { run, bodies } = await replayOnWire([AGENT], agentServer(calls))
  expect(bodies[1]?.messages[1]?.tool_calls?.map((call) => call.id)).toEqual(['rec_1', 'rec_2'])
  for (const body of bodies) expectNoDanglingIds(body.messages)
  expect(run.requests.map((request) => request.splices.diverged)).toEqual([0, 1, 1])
  expect(run.sessionSuccessRate).toBe(1)
})

test('ids the model repeats or leaves out never reach the wire twice', async () => {
  const { bodies } = await replayOnWire([AGENT], agentServer([live('same', 'search'), live('same', 'fetch')]))
  for (const body of bodies) expectNoDanglingIds(body.messages)
  expect(bodies[1]?.messages[1]?.tool_calls).toHaveLength(2)
})

test('the model is steered to the recorded call, and held to the recorded length', async () => {
  const tools = [{ name: 'search', parameters: { type: 'object' } }, { name: 'fetch' }]
  const graph = graphOf('s', [
    { id: 'one', tools, output: assistant(toolCall('r', 'search')), outputTokens: 20 },
    { id: 'both', tools, output: RECORDED_TURN, messages: [text('user', 'both')] },
    { id: 'none', tools, output: text('assistant', 'done'), outputTokens: 7, messages: [text('user', 'none')] },
  ])
  const { bodies } = await replayOnWire([graph], () => ({ content: 'x' }))
  const byText = (needle: string) => bodies.find((body) => JSON.stringify(body.messages).includes(needle))
  expect(byText('question of one')?.tool_choice).toEqual({ type: 'function', function: { name: 'search' } })
  expect(byText('both')?.tool_choice).toBe('required')
  expect(byText('none')).not.toHaveProperty('tool_choice')
})

test('branches are in flight together, and a join waits for all of them', async () => {
  const graph = graphOf('s', [
    { id: 'root' },
    ...['a', 'b', 'c'].map((id) => ({ id, after: ['root'] })),
    { id: 'join', after: ['a', 'b', 'c'] },
  ])
  // Each branch is answered only when all three have arrived: were they sent one by one, this would never end.
  let arrived = 0
  let open: () => void = () => {}
  const all = new Promise<void>((resolve) => {
    open = resolve
  })
  const { run, bodies } = await replayOnWire([graph], async (body) => {
    if (!/of [abc]"/.test(lastText(body))) return { content: 'ok' }
    if (++arrived === 3) open()
    await all
    return { content: 'ok' }
  })
  expect(run.sessionSuccessRate).toBe(1)
  expect(lastText(bodies[4] as WireBody)).toContain('of join')
})

test('recorded waits are kept, within the cap', async () => {
  const { run } = await replayOnWire([chain('s', 3, 60_000)], () => ({ content: 'ok' }), { maxWait: '20ms' })
  for (const request of run.requests.slice(1)) {
    expect(request.waitMs).toBe(20)
    expect((request.sentMs ?? 0) - (request.readyMs ?? 0)).toBeGreaterThanOrEqual(19)
  }
})

test('the key is on the wire and nowhere in the record', async () => {
  const { run } = await replayOnWire([chain('s', 2)], () => ({ content: 'ok' }))
  expect(JSON.stringify(run.record)).not.toContain('sk-test')
  expect(JSON.parse(JSON.stringify(run.record))).toEqual(run.record)
})

test('nothing listening: one error that names the place and the way out', async () => {
  server = await startRecordingServer(() => ({ content: 'ok' }))
  const { url } = server
  await server.close()
  await expect(
    replay({
      workload: workloadOf([chain('s', 2)]),
      target: { kind: 'openai', url, apiKey: 'k' },
      stages: [{ concurrentSessions: 1 }],
    }),
  ).rejects.toMatchObject({ code: 'TARGET_UNREACHABLE', message: expect.stringContaining(new URL(url).host) })
})

test('without a target the simulator answers', async () => {
  const run = await replay({
    workload: workloadOf([chain('s', 3)]),
    simulator: { speed: Number.POSITIVE_INFINITY, apiKey: 'sk-simulated' },
    stages: [{ concurrentSessions: 1 }],
  })
  expect(run.record.target.kind).toBe('simulator')
  expect(run.sessionCounts).toMatchObject({ succeeded: 1, failed: 0 })
  expect(run.requests.every((request) => request.outputTokens === 4 && !request.tokensEstimated)).toBe(true)
})

test('a workload that fetches its data tells how far it is', async () => {
  const fetched = { dataset: 'acme/orders', file: 'data/train.parquet', doneBytes: 1, totalBytes: 2 }
  const told: unknown[] = []
  const { open, ...workload } = workloadOf([chain('s', 1)])
  await replay({
    workload: {
      ...workload,
      open(context) {
        context.onProgress?.(fetched)
        return open(context)
      },
    },
    simulator: { speed: Number.POSITIVE_INFINITY },
    stages: [{ concurrentSessions: 1 }],
    onWorkloadProgress: (progress) => told.push(progress),
  })
  expect(told).toEqual([fetched])
})

test('an abort while the workload is being read keeps what was measured', async () => {
  const stop = new AbortController()
  const run = await replay({
    workload: {
      name: 'slow to read',
      async *open({ signal }) {
        yield chain('first', 2)
        stop.abort(new Error('enough'))
        signal?.throwIfAborted()
      },
    },
    simulator: { speed: Number.POSITIVE_INFINITY },
    stages: [{ concurrentSessions: 1, sessions: 1 }, { concurrentSessions: 1 }],
    signal: stop.signal,
    journal: false,
  })
  expect(run.sessionCounts).toMatchObject({ succeeded: 1, total: 1 })
  expect(run.record.aborted).toBe('enough')
})

test('a run that an error ends is kept in its journal, and not as one that came to its end', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'broken-off-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const running = replay({
    workload: {
      name: 'broken',
      async *open() {
        yield chain('first', 2)
        throw new TraceReplayError('UNREADABLE_TRACE', 'second.json: Not JSON.')
      },
    },
    simulator: { speed: Number.POSITIVE_INFINITY },
    stages: [{ concurrentSessions: 1, sessions: 1 }, { concurrentSessions: 1 }],
    journal: { folder },
  })
  await expect(running).rejects.toThrow('second.json: Not JSON.')
  const kept = new Run(await readJournal(folder))
  expect(kept.sessions).toMatchObject([{ id: 'first', state: 'succeeded' }])
  expect(kept.requests).toHaveLength(2)
  expect(kept.stages).toHaveLength(2)
  expect(kept.gradable).toEqual({ ok: false, reason: 'the run was aborted: second.json: Not JSON.' })
})

test('target and simulator exclude each other', async () => {
  await expect(
    replay({
      workload: workloadOf([]),
      target: { kind: 'openai', url: 'http://127.0.0.1:1' },
      simulator: {},
      stages: [{ concurrentSessions: 1 }],
    }),
  ).rejects.toMatchObject({ code: 'INVALID_OPTION' })
})

test('a trace without a model needs one from the target', async () => {
  const nameless = graphOf('s', [{ id: 'a', model: '' }])
  await expect(
    replay({
      workload: workloadOf([nameless]),
      target: { kind: 'openai', url: 'http://127.0.0.1:1', apiKey: 'k' },
      stages: [{ concurrentSessions: 1 }],
    }),
  ).rejects.toMatchObject({ code: 'INVALID_OPTION', message: expect.stringContaining('target.model') })
})
