import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { TargetOptions } from '../endpoint/index.ts'
import type { ReplayGraph } from '../graph/index.ts'
import { chain } from './graph.fixture.ts'
import type { ReplayOptions } from './options.ts'
import { replay } from './replay.ts'
import { SessionHeaders } from './session-headers.ts'
import { workloadOf } from './virtual-run.fixture.ts'

const ANSWER = JSON.stringify({ choices: [{ message: { content: 'a' }, finish_reason: 'stop' }] })

/** A router that names a server of its own to each request, and what it was asked with. */
async function startRouter() {
  const heads: Record<string, string | undefined>[] = []
  const server = createServer((request, response) => {
    const { 'x-session-token': token, 'x-session-id': session, 'x-tenant': tenant } = request.headers
    heads.push({ token: token?.toString(), session: session?.toString(), tenant: tenant?.toString() })
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json', 'x-session-token': `pod-${heads.length}` }).end(ANSWER)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heads }
}

async function replayed(graphs: readonly ReplayGraph[], target: Partial<TargetOptions>, more: Partial<ReplayOptions> = {}) {
  const { url, heads } = await startRouter()
  const run = await replay({
    workload: workloadOf(graphs),
    target: { kind: 'vllm', url, ...target },
    stages: [{ concurrentSessions: 1 }],
    ...more,
  })
  return { run, heads }
}

function withAttributes(
  graph: ReplayGraph,
  session: Record<string, string>,
  call: Record<string, string | number> = {},
): ReplayGraph {
  const nodes = graph.nodes.map((node) => ({ ...node, call: { ...node.call, attributes: call } }))
  return { session: { ...graph.session, attributes: session, calls: nodes.map((node) => node.call) }, nodes }
}

test('a router’s token goes with the session’s later requests, and with no other session’s', async () => {
  const { heads } = await replayed([chain('a', 3), chain('b', 2)], { kind: 'llm-d', sessionHeader: 'x-session-id' })
  expect(heads).toEqual([
    { session: 'a', token: undefined, tenant: undefined },
    { session: 'a', token: 'pod-1', tenant: undefined },
    { session: 'a', token: 'pod-2', tenant: undefined },
    { session: 'b', token: undefined, tenant: undefined },
    { session: 'b', token: 'pod-4', tenant: undefined },
  ])
})

test('kinds that know no token send none, unless told', async () => {
  expect((await replayed([chain('a', 2)], {})).heads[1]).toMatchObject({ token: undefined, session: undefined })
  expect((await replayed([chain('a', 2)], { sessionTokenHeader: 'X-Session-Token' })).heads[1]).toMatchObject({ token: 'pod-1' })
})

test('what spans say becomes headers and labels: of the call, else of its session', async () => {
  const attributeHeaders = { 'X-Tenant': 'tenant.id' }
  const labels = { tenant: 'tenant.id', turn: 'turn' }
  const mine = withAttributes(chain('a', 1), { 'tenant.id': 'session' }, { 'tenant.id': 'call', turn: 7 })
  const inherited = withAttributes(chain('b', 1), { 'tenant.id': 'session' })
  const { heads, run } = await replayed([mine, inherited, chain('c', 1)], { attributeHeaders }, { labels })
  expect(heads.map(({ tenant }) => tenant)).toEqual(['call', 'session', undefined])
  expect(run.record.requests.map((request) => request.labels)).toEqual([
    { tenant: 'call', turn: '7' },
    { tenant: 'session' },
    undefined,
  ])
})

test.each([
  ['a\r\nx-evil: 1', 'a%0D%0Ax-evil: 1'],
  ['Zoë 𝄞', 'Zo%C3%AB %F0%9D%84%9E'],
  ['\ud800', '%EF%BF%BD'],
  [' a ', 'a'],
  ['x'.repeat(5_000), 'x'.repeat(1_000)],
])('a value that cannot stand in a header is written so that it can: %j', (value, written) => {
  const { session, nodes } = withAttributes(chain('s', 1), { v: value })
  const headers = new SessionHeaders({ attributeHeaders: { 'x-v': 'v' } }, 's', session)
  const [node] = nodes
  expect(node && headers.of(node.call)).toEqual({ 'x-v': written })
})

test('an attribute’s name is no path into an object', () => {
  const graph = chain('s', 1)
  const [node] = graph.nodes
  const headers = new SessionHeaders({ attributeHeaders: { 'x-v': 'constructor' } }, 's', graph.session)
  expect(node && headers.of(node.call)).toBeUndefined()
})
