/**
 * 40 sessions of 66 calls, each after the one before, at `concurrentSessions: 40`: nothing in the client may hold a session
 * back, so 40 requests are in flight as long as all sessions are. Counted from the run's own records. The server, in another
 * process, takes 200 ms for each answer, which is little for calls whose histories grow to 350 kB.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RequestRecord, replay, traces } from '../src/index.ts'
import { syntheticTrace } from './synthetic-session.ts'

const SESSIONS = 40
const CALLS = 66
const ANSWER_AFTER_MS = 200
const BARS = { mean: 0.95, least: 0.9 }
/** Of the stretches that are looked at one by one. */
const STRETCH_MS = 500

const folder = mkdtempSync(join(tmpdir(), 'requests-in-flight-'))
for (let index = 0; index < SESSIONS; index++) {
  const { file } = syntheticTrace({ calls: CALLS, seed: index, container: 'flat spans' })
  writeFileSync(join(folder, `session-${String(index).padStart(2, '0')}.json`), file)
}
const server = fork(new URL('./slow-answer-server.js', import.meta.url))
const [address] = (await once(server, 'message')) as [{ port: number }]

const run = await replay({
  workload: traces(join(folder, '*.json')),
  target: { kind: 'vllm', url: `http://127.0.0.1:${address.port}/v1?after=${ANSWER_AFTER_MS}`, model: 'm' },
  stages: [{ concurrentSessions: SESSIONS }],
  timeScale: 0,
  journal: false,
})
server.disconnect()
rmSync(folder, { recursive: true })

const sent = run.requests.map(spanOf)
const firstMs = Math.min(...sent.map(({ sentMs }) => sentMs))
const lastMs = Math.max(...sent.map(({ endMs }) => endMs))
/** While every session is in flight: from the last one's first request to the end of the first that is through. */
const allFromMs = Math.max(...run.sessions.map(({ startMs }) => startMs ?? Number.NaN))
const allUntilMs = Math.min(...run.sessions.map(({ endMs }) => endMs))
const stretches: number[] = []
for (let fromMs = allFromMs; fromMs + STRETCH_MS <= allUntilMs; fromMs += STRETCH_MS) {
  stretches.push(meanInFlight(fromMs, fromMs + STRETCH_MS))
}

interface SentSpan {
  readonly sentMs: number
  readonly endMs: number
}

function spanOf({ state, sentMs, endMs, error }: RequestRecord): SentSpan {
  if (state !== 'succeeded' || sentMs === null || endMs === null) throw new Error(`A request failed: ${error?.message}`)
  return { sentMs, endMs }
}

function meanInFlight(fromMs: number, untilMs: number): number {
  const inside = ({ sentMs, endMs }: SentSpan) => Math.max(0, Math.min(endMs, untilMs) - Math.max(sentMs, fromMs))
  return sent.reduce((sum, span) => sum + inside(span), 0) / (untilMs - fromMs)
}

let missed = false
function report(what: string, share: number, bar: number): void {
  const ok = share >= bar
  missed ||= !ok
  console.log(
    `${ok ? 'ok  ' : 'MISS'}  ${what}: ${(share * SESSIONS).toFixed(1)}, ${share.toFixed(3)} × ${SESSIONS} (at least ${bar})`,
  )
}

const seconds = (lastMs - firstMs) / 1_000
console.log(
  `${sent.length} requests in ${seconds.toFixed(1)} s, ${Math.round(sent.length / seconds)}/s, answers after ${ANSWER_AFTER_MS} ms`,
)
report('mean in flight, first sent to last ended', meanInFlight(firstMs, lastMs) / SESSIONS, BARS.mean)
report(`least in flight over ${STRETCH_MS} ms while all sessions were`, Math.min(...stretches) / SESSIONS, BARS.least)
process.exitCode = missed ? 1 : 0
