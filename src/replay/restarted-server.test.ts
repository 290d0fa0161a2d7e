import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { resolveTarget } from '../endpoint/index.ts'
import { Run } from '../metrics/index.ts'
import { chain } from './graph.fixture.ts'
import { measure, reachable } from './measurement.ts'
import { planReplay } from './options-schema.ts'
import { workloadOf } from './virtual-run.fixture.ts'

const STREAM = [
  'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"hi"},"finish_reason":null}]}\n\n',
  'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
]

/** A server that is killed in the midst of its answer to the `killedAt`-th request, and starts again when it is told to. */
async function mortalServer(killedAt: number) {
  const sockets = new Set<Socket>()
  let requests = 0
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.write(STREAM[0], () => {
        if (++requests === killedAt) kill()
        else response.end(STREAM[1])
      })
    })
  })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const listen = (port: number) =>
    new Promise<number>((resolve) => server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)))
  const kill = () => {
    server.close()
    for (const socket of sockets) socket.resetAndDestroy()
  }
  const port = await listen(0)
  onTestFinished(kill)
  const emptied = () => Promise.all([...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))))
  return { url: `http://127.0.0.1:${port}`, emptied, restart: () => listen(port) }
}

/** @param onFailed told of the first session that fails, and which had started by then */
async function replayAgainst(url: string, onFailed: (started: readonly string[]) => void) {
  const started: string[] = []
  const ended: string[] = []
  const sessions = Array.from({ length: 60 }, (_, index) => chain(`s${index}`, 3))
  const plan = planReplay({ workload: workloadOf(sessions), stages: [{ concurrentSessions: 4 }], journal: false })
  let failed = false
  const record = await measure(plan, reachable(resolveTarget({ kind: 'vllm', url }, {})), {
    started: (id) => void started.push(id),
    ended: ({ id, state }) => {
      ended.push(id)
      if (state === 'failed' && !failed) onFailed(started)
      failed ||= state === 'failed'
    },
  })
  return { run: new Run(record), started, ended }
}

test('a server that is killed and restarted costs what was in flight and what came meanwhile, nothing else', async () => {
  const server = await mortalServer(31)
  let startedBefore = 0
  const { run, started, ended } = await replayAgainst(server.url, (startedSoFar) => {
    // Not before the client has heard of every connection that broke.
    setImmediate(async () => {
      await server.restart()
      startedBefore = startedSoFar.length
    })
  })
  expect(ended.toSorted()).toEqual(started.toSorted())
  expect(run.sessionCounts).toMatchObject({ total: 60, cutOff: 0 })
  const states = new Map(run.sessions.map(({ id, state }) => [id, state]))
  expect(ended.slice(0, 7).map((id) => states.get(id))).toEqual(Array(7).fill('succeeded'))
  const after = started.slice(startedBefore)
  expect(after.length).toBeGreaterThan(10)
  expect(after.filter((id) => states.get(id) !== 'succeeded')).toEqual([])
  const labels = run.errors.map(({ label }) => label)
  expect(labels).toContain('connection_reset')
  expect(['connect_refused', 'connection_reset']).toEqual(expect.arrayContaining(labels))
  await server.emptied()
})

test('a server that does not come back fails what is left, and what had finished stays', async () => {
  const server = await mortalServer(31)
  const { run } = await replayAgainst(server.url, () => {})
  expect(run.sessionCounts).toMatchObject({ total: 60, cutOff: 0 })
  expect(run.sessionCounts.succeeded).toBeGreaterThanOrEqual(7)
  expect(run.errors.map(({ label }) => label).sort()).toEqual(['connect_refused', 'connection_reset'])
  await server.emptied()
})
