import type { connect as realConnect, TcpNetConnectOpts } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { startSimulator } from '../simulator/index.ts'
import { chain } from './graph.fixture.ts'
import { replay } from './replay.ts'
import { workloadOf } from './virtual-run.fixture.ts'

const net = vi.hoisted(() => ({ connect: (options: unknown): unknown => options }))
vi.mock(import('node:net'), async (original) => {
  const real = await original()
  return { ...real, connect: ((options: TcpNetConnectOpts) => net.connect(options)) as typeof real.connect }
})

const real = await vi.importActual<{ connect: typeof realConnect }>('node:net')
let attempts = 0
afterEach(() => {
  attempts = 0
})

/** The system's own answer where there is none to connect from: an address that no machine has. */
const withoutPort = (options: TcpNetConnectOpts) => real.connect({ ...options, localAddress: '192.0.2.1' })

const withoutDescriptor = () => {
  const socket = real.connect({ host: '127.0.0.1', port: 1, lookup: () => {} })
  const error = Object.assign(new Error('connect EMFILE 127.0.0.1:1 - Local (undefined:undefined)'), { code: 'EMFILE' })
  return socket.destroy(error)
}

async function runWith(connect: (options: TcpNetConnectOpts, attempt: number) => unknown, sessions: number) {
  net.connect = (options) => connect(options as TcpNetConnectOpts, ++attempts)
  const simulator = await startSimulator({ speed: Number.POSITIVE_INFINITY })
  const ended: string[] = []
  try {
    const run = await replay({
      workload: workloadOf(Array.from({ length: sessions }, (_, index) => chain(`s${index}`, 2))),
      target: { kind: 'simulator', url: simulator.url },
      stages: [{ concurrentSessions: 8 }],
      journal: false,
    })
    for (const { id, state } of run.sessions) ended.push(`${id} ${state}`)
    return { run, ended }
  } finally {
    await simulator.close()
  }
}

test.each([
  ['port', withoutPort, 'has no free port left', 'EADDRNOTAVAIL'],
  ['descriptor', withoutDescriptor, 'has no file descriptor left', 'EMFILE'],
] as const)(
  'a client without a %s fails what it cannot connect, from the very first on, and measures the rest',
  async (_, broken, message, code) => {
    const { run, ended } = await runWith((options, attempt) => (attempt <= 6 ? broken(options) : real.connect(options)), 20)
    expect(ended).toHaveLength(20)
    expect(run.sessionCounts).toMatchObject({ succeeded: 14, failed: 6, cutOff: 0 })
    expect(run.errors).toMatchObject([{ label: 'client_exhausted', count: 6, message: expect.stringContaining(message) }])
    expect(run.errors[0]?.message).toContain(code)
    expect(run.gradable).toEqual({
      ok: false,
      reason: expect.stringContaining('the load client had no descriptor or port left for 6 of its 40 requests'),
    })
  },
)

test('a client that can connect to nothing comes to an end and blames itself', async () => {
  const { run } = await runWith(withoutPort, 12)
  expect(run.sessionCounts).toMatchObject({ succeeded: 0, failed: 12 })
  expect(run.gradable).toMatchObject({ ok: false, reason: expect.stringContaining('the load client') })
})
