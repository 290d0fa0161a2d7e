/**
 * 2,000 sessions in flight on one thread, most of them in their think time: how late their calls are sent once all are under
 * way, and what memory they take beside the text that is said in them and what a run of few sessions takes, too. The server,
 * in another process, takes a second for each answer.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type Run, replay, traces } from '../src/index.ts'
import { scheduleLagMs } from '../src/metrics/index.ts'
import { syntheticTrace } from './synthetic-session.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const SESSIONS = 2_000
const RECORDED = 200
const CALLS = 12
/** Recorded waits are a second or so: an agent's tools, or a person who reads. */
const THINK_TIME_SCALE = 8
const ANSWER_AFTER_MS = 1_000
const STARTS_OVER_MS = 10_000
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

/** Replays until all sessions are in flight and have been for a while; `inFlight` looks at them before they are ended. */
async function load(sessions: number, timeScale: number, watchedMs: number, inFlight: () => Promise<void>): Promise<Run> {
  const ended = new AbortController()
  let allInFlight = (): void => {}
  const started = new Promise<void>((resolve) => {
    allInFlight = resolve
  })
  const running = replay({
    workload: traces(join(folder, '*.json')),
    target: { kind: 'vllm', url: `http://127.0.0.1:${address.port}/v1?after=${ANSWER_AFTER_MS}`, model: 'm' },
    stages: [{ concurrentSessions: { from: 1, to: sessions, over: STARTS_OVER_MS } }],
    duplicateTo: sessions,
    timeScale,
    journal: false,
    signal: ended.signal,
    onProgress: (progress) => {
      if (progress.sessions.inFlight === sessions) allInFlight()
    },
  })
  await started
  await setTimeout(watchedMs)
  await inFlight()
  ended.abort()
  return running
}

// As many requests a second from a tenth of the sessions: what an engine at work holds however many sessions there are.
await load(RECORDED, THINK_TIME_SCALE / 10, WATCHED_MS / 2, async () => {})
const residentBefore = await resident()
let residentAfter = 0
let collectingMs = 0
const run = await load(SESSIONS, THINK_TIME_SCALE, WATCHED_MS, async () => {
  const fromMs = performance.now()
  residentAfter = await resident()
  collectingMs = performance.now() - fromMs
})
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

const { sessionCounts } = run
if (sessionCounts.cutOff !== SESSIONS)
  throw new Error(`Of ${SESSIONS} sessions ${sessionCounts.cutOff} were in flight to the end.`)
/** Before garbage was collected for the sake of the figure of memory: that stands still for a while. */
const watchedUntilMs = Math.max(...run.sessions.map(({ endMs }) => endMs)) - collectingMs
const lagsMs = run.requests
  .filter(({ sentMs }) => sentMs !== null && sentMs < watchedUntilMs && sentMs > watchedUntilMs - WATCHED_MS)
  .flatMap((request) => scheduleLagMs(request) ?? [])
  .sort((a, b) => a - b)
const lag = (share: number) => lagsMs[Math.floor((lagsMs.length - 1) * share)] ?? Number.NaN
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
console.log(
  `${SESSIONS} sessions, ${lagsMs.length} requests in ${WATCHED_MS / 1_000} s; resident memory ${megabytes(residentBefore)}, then ${megabytes(residentAfter)}; text ${megabytes(distinctBytes)}`,
)
console.log(`      schedule lag p50 ${lag(0.5).toFixed(2)}, p90 ${lag(0.9).toFixed(2)}, p98 ${lag(0.98).toFixed(2)} ms`)
report('schedule lag, p99, ms', lag(0.99), BARS.lagMs)
report(
  `memory beyond ${BARS.textTimes} × text, kB a session`,
  (residentAfter - residentBefore - BARS.textTimes * distinctBytes) / SESSIONS / 1_000,
  BARS.sessionBytes / 1_000,
)
process.exitCode = missed ? 1 : 0
