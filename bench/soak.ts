/**
 * Keeps sessions in flight for minutes and looks at what the client holds: `npm run soak -- --minutes 10 --sessions 500`. The
 * server, in another process, also refuses, falls silent and breaks off, since what leaks does so where something failed.
 *
 * - Memory (the heap after a collection, and what is outside of it) by its slope against requests that have ended, over the
 *   last two thirds, when all that is made once has been made. A run keeps a record of each request, so its memory may grow
 *   with them, by less than `MOST_BYTES_PER_REQUEST`, and with nothing else. Resident memory has twice that: what an
 *   allocator gives back is its own affair.
 * - Sockets, timers and descriptors by their highest number: a session has one call in flight or waits for one, so there is one
 *   of each for it, whatever the server's pace and however many requests have gone before.
 * - After the run none of them is left.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { linearRegression } from 'simple-statistics'
import type { ReplayGraph } from '../src/graph/index.ts'
import type { Call, Message } from '../src/message/index.ts'
import { type Progress, replay } from '../src/replay/index.ts'
import type { Workload } from '../src/workload/index.ts'
import { mulberry32, prose } from './synthetic-text.ts'

const MOST_BYTES_PER_REQUEST = 200
/** What is closed is given back a moment after the next is opened, and the run has a few of its own. */
const MOST_HANDLES_PER_SESSION = 1.1
const EXPECTED_FAILURES = new Set(['http_503', 'connection_reset', 'first_token_timeout', 'idle_timeout'])

const RECORDED_SESSIONS = 200
const CALLS_PER_SESSION = 8
const WAIT_MS = 2_000
const SAMPLE_INTERVAL_MS = 5_000
const LINE_INTERVAL_MS = 30_000
const CLOSING_MS = 5_000

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, sessions: { type: 'string', default: '500' } },
})
const minutes = positive('minutes')
const sessions = positive('sessions')

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

interface Sample {
  readonly atMs: number
  readonly requests: number
  readonly heapBytes: number
  readonly residentBytes: number
  readonly sockets: number
  readonly timers: number
  readonly descriptors: number
}

function positive(name: keyof typeof values): number {
  const value = Number(values[name])
  if (!(value > 0)) throw new Error(`--${name} is '${values[name]}', expected a number above 0.`)
  return value
}

function message(role: Message['role'], text: string): Message {
  return { role, parts: [{ type: 'text', text }] }
}

/** A conversation in which each call carries the ones before it, with their live answers. */
function conversation(index: number): ReplayGraph {
  const random = mulberry32(index)
  const history: Message[] = [message('system', prose(random, 1_000))]
  const nodes = Array.from({ length: CALLS_PER_SESSION }, (_, turn) => {
    history.push(message('user', prose(random, 400)))
    const messages = [...history]
    const output = message('assistant', prose(random, 100))
    history.push(output)
    const call: Call = {
      id: `call-${turn}`,
      name: 'chat soak',
      model: 'soak',
      messages,
      output,
      tools: [],
      params: {},
      usage: { outputTokens: 16 },
      startMs: 0,
      endMs: 0,
      error: null,
      spanPath: [],
      attributes: {},
    }
    const before = `call-${turn - 1}`
    return {
      call,
      edges: turn === 0 ? [] : [{ from: before, kind: 'context' as const, evidence: 'as written' }],
      waitMs: turn === 0 ? 0 : WAIT_MS,
      splices: Array.from({ length: turn }, (_, from) => ({
        kind: 'message' as const,
        message: 2 * from + 2,
        from: `call-${from}`,
      })),
    }
  })
  const id = `session-${index}`
  return { session: { id, source: `${id}.json`, attributes: {}, calls: nodes.map(({ call }) => call) }, nodes }
}

const recorded = Array.from({ length: RECORDED_SESSIONS }, (_, index) => conversation(index))
const workload: Workload = {
  name: 'soak',
  async *open() {
    yield* recorded
  },
}

function descriptors(): number {
  // One of them reads the folder.
  return existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length - 1 : 0
}

function resources(kind: string): number {
  return process.getActiveResourcesInfo().filter((name) => name === kind).length
}

function sampleNow(startMs: number, progress: Progress | undefined): Sample {
  collectGarbage()
  const { heapUsed, external, rss } = process.memoryUsage()
  return {
    atMs: performance.now() - startMs,
    requests: progress === undefined ? 0 : progress.requests.succeeded + progress.requests.failed,
    heapBytes: heapUsed + external,
    residentBytes: rss,
    sockets: resources('TCPSocketWrap'),
    timers: resources('Timeout'),
    descriptors: descriptors(),
  }
}

const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MB`
const count = (value: number) => value.toLocaleString('en-US')

function line(sample: Sample, inFlight: number): string {
  const { atMs, requests, heapBytes, residentBytes, sockets, timers } = sample
  return `${String(Math.round(atMs / 1_000)).padStart(5)} s  ${inFlight} sessions in flight  ${count(requests)} requests  heap ${megabytes(heapBytes)}  resident ${megabytes(residentBytes)}  ${sockets} sockets  ${timers} timers  ${sample.descriptors} descriptors`
}

function judge(what: string, value: number, most: number, unit = ''): void {
  const holds = value <= most
  console.log(
    `${holds ? '     ' : 'MISS '} ${what}: ${Number(value.toFixed(1))}${unit} (bar ≤ ${Number(most.toFixed(1))}${unit})`,
  )
  if (!holds) process.exitCode = 1
}

const server = fork(new URL('./soak-server.js', import.meta.url))
const [url] = (await once(server, 'message')) as [string]
const journals = mkdtempSync(join(tmpdir(), 'soak-'))

let progress: Progress | undefined
const samples: Sample[] = []
const startMs = performance.now()
const before = { descriptors: descriptors(), timers: resources('Timeout') }
let lineDueMs = LINE_INTERVAL_MS
const sampling = setInterval(() => {
  const sample = sampleNow(startMs, progress)
  samples.push(sample)
  if (sample.atMs < lineDueMs) return
  lineDueMs += LINE_INTERVAL_MS
  console.log(line(sample, progress?.sessions.inFlight ?? 0))
}, SAMPLE_INTERVAL_MS)

const run = await replay({
  workload,
  target: { kind: 'simulator', url, timeouts: { firstToken: '10s', idle: '10s' } },
  stages: [{ concurrentSessions: sessions, duration: minutes * 60_000 }],
  journal: { folder: journals },
  onProgress: (latest) => {
    progress = latest
  },
})
clearInterval(sampling)
// Descriptors of closed sockets are given back by the event loop.
const closingMs = performance.now()
while (resources('TCPSocketWrap') > 0 && performance.now() - closingMs < CLOSING_MS) await sleep(50)
const left = { sockets: resources('TCPSocketWrap'), timers: resources('Timeout'), descriptors: descriptors() }
server.disconnect()
rmSync(journals, { recursive: true, force: true })

// The last sessions end without others taking their place.
const loaded = samples.filter(({ atMs }) => atMs <= minutes * 60_000)
const settled = loaded.slice(Math.floor(loaded.length / 3))
const perRequest = (bytesOf: (sample: Sample) => number) =>
  linearRegression(settled.map((sample) => [sample.requests, bytesOf(sample)])).m
const highest = (countOf: (sample: Sample) => number) => Math.max(...samples.map(countOf))
const mostHandles = Math.ceil(MOST_HANDLES_PER_SESSION * sessions) + 10
const failures = run.errors.map(({ label, count: times }) => `${label} × ${times}`).join(', ')
console.log(
  `soak: ${minutes} min, ${sessions} sessions in flight, ${count(run.sessionCounts.total)} sessions, ${count(run.requests.length)} requests; ${failures}`,
)
judge(
  'heap',
  perRequest(({ heapBytes }) => heapBytes),
  MOST_BYTES_PER_REQUEST,
  ' bytes a request',
)
judge(
  'resident',
  perRequest(({ residentBytes }) => residentBytes),
  2 * MOST_BYTES_PER_REQUEST,
  ' bytes a request',
)
judge(
  'sockets',
  highest(({ sockets }) => sockets),
  mostHandles,
)
judge(
  'timers',
  highest(({ timers }) => timers),
  mostHandles,
)
judge(
  'descriptors',
  highest((sample) => sample.descriptors),
  before.descriptors + mostHandles,
)
judge('sockets left', left.sockets, 0)
judge('timers left', left.timers, before.timers)
judge('descriptors left', left.descriptors, before.descriptors)
judge('failures that no one made', run.errors.filter(({ label }) => !EXPECTED_FAILURES.has(label)).length, 0)
