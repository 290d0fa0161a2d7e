/**
 * 2,000 sessions in flight on one thread, most of them in their think time: how late their calls are sent, and what memory
 * they take beside the text that is said in them. The server, in another process, takes two seconds for each answer.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { replay, traces } from '../src/index.ts'
import { scheduleLagMs } from '../src/metrics/index.ts'
import { syntheticTrace } from './synthetic-session.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const SESSIONS = 2_000
const RECORDED = 200
/** Enough for all of them to be in flight until the run is ended: waits are a second or so. */
const CALLS = 12
const ANSWER_AFTER_MS = 2_000
const WATCHED_MS = 15_000
const BARS = { lagMs: 5, textTimes: 2, sessionBytes: 30_000 }

const folder = mkdtempSync(join(tmpdir(), 'sessions-in-flight-'))
let distinctBytes = 0
for (let index = 0; index < RECORDED; index++) {
  const trace = syntheticTrace({ calls: CALLS, seed: index, container: 'flat spans' })
  distinctBytes += trace.distinctBytes
  writeFileSync(join(folder, `session-${String(index).padStart(3, '0')}.json`), trace.file)
}
const server = fork(new URL('./slow-answer-server.js', import.meta.url))
const [address] = (await once(server, 'message')) as [{ port: number }]

const ended = new AbortController()
let allInFlight = (): void => {}
const inFlight = new Promise<void>((resolve) => {
  allInFlight = resolve
})
const residentBefore = await resident()
const running = replay({
  workload: traces(join(folder, '*.json')),
  target: { kind: 'vllm', url: `http://127.0.0.1:${address.port}/v1?after=${ANSWER_AFTER_MS}`, model: 'm' },
  stages: [{ concurrentSessions: SESSIONS }],
  duplicateTo: SESSIONS,
  journal: false,
  signal: ended.signal,
  onProgress: ({ sessions }) => {
    if (sessions.inFlight === SESSIONS) allInFlight()
  },
})
await inFlight
await setTimeout(WATCHED_MS)
const collectingFromMs = performance.now()
const residentAfter = await resident()
const collectingMs = performance.now() - collectingFromMs
ended.abort()
const run = await running
server.disconnect()
rmSync(folder, { recursive: true })

/** Of what is left when garbage has been collected until the engine lets go of nothing more. */
async function resident(): Promise<number> {
  for (let collections = 0; collections < 3; collections++) {
    collectGarbage()
    await setTimeout(20)
  }
  return process.memoryUsage.rss()
}

let missed = false
function report(what: string, value: number, bar: number): void {
  const ok = value <= bar
  missed ||= !ok
  console.log(`${ok ? 'ok  ' : 'MISS'}  ${what}: ${value.toFixed(2)} (at most ${bar})`)
}

const { sessionCounts, requestCounts } = run
if (sessionCounts.cutOff !== SESSIONS)
  throw new Error(`Of ${SESSIONS} sessions ${sessionCounts.cutOff} were in flight to the end.`)
/** Before garbage was collected for the sake of the figure of memory: that stands still for a while. */
const watchedUntilMs = Math.max(...run.sessions.map(({ endMs }) => endMs)) - collectingMs
const lagsMs = run.requests
  .filter(({ sentMs }) => sentMs !== null && sentMs < watchedUntilMs)
  .flatMap((request) => scheduleLagMs(request) ?? [])
  .sort((a, b) => a - b)
const lag = (share: number) => lagsMs[Math.floor((lagsMs.length - 1) * share)] ?? Number.NaN
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
console.log(
  `${SESSIONS} sessions, ${requestCounts.succeeded} requests answered; resident memory ${megabytes(residentBefore)}, then ${megabytes(residentAfter)}; text ${megabytes(distinctBytes)}`,
)
console.log(`      schedule lag p50 ${lag(0.5).toFixed(2)}, p90 ${lag(0.9).toFixed(2)}, p98 ${lag(0.98).toFixed(2)} ms`)
report('schedule lag, p99, ms', lag(0.99), BARS.lagMs)
report(
  `memory beyond ${BARS.textTimes} × text, kB a session`,
  (residentAfter - residentBefore - BARS.textTimes * distinctBytes) / SESSIONS / 1_000,
  BARS.sessionBytes / 1_000,
)
process.exitCode = missed ? 1 : 0
