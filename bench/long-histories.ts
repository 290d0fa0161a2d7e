/**
 * Calls with 200 kB of history, of which the last turn is a live output that no request has carried before: how many a
 * second, and the processor's time of each, against bare undici that sends a ready buffer of the same size. The clients take
 * turns, and the median of the rounds' ratios counts.
 */
import type { Message } from '../src/message/index.ts'
import { median, openFixedStreamLoad, readyBody, takeTurns } from './fixed-stream-load.ts'

const RATE_BAR = 0.9
const CPU_BAR = 1.15
const CONCURRENCY = 64
const TURNS = 40
const TURN_BYTES = 5_000

const words = 'The tool reports that all of the checks have passed, but for the one that was left out of it. '
const turn = (index: number) => `${index} ${words.repeat(TURN_BYTES / words.length)}`
const roleOf = (index: number) => (index % 2 === 0 ? 'user' : 'assistant')
const text = (role: 'user' | 'assistant', content: string): Message => ({ role, parts: [{ type: 'text', text: content }] })

const history = Array.from({ length: TURNS - 2 }, (_, index) => text(roleOf(index), turn(index)))
const question = text('user', turn(TURNS - 2))
const body = readyBody(Array.from({ length: TURNS }, (_, index) => ({ role: roleOf(index), content: turn(index) })))

const load = await openFixedStreamLoad(CONCURRENCY)
const rounds = await takeTurns(
  {
    ours: load.replayCall((index) => [...history, text('assistant', turn(index)), question]),
    dispatch: load.bareDispatch(body),
  },
  { rounds: 9, calls: 1_000, concurrency: CONCURRENCY },
)
await load.close()

const rate = median(rounds.map(({ ours, dispatch }) => ours.callsPerSecond / dispatch.callsPerSecond))
const cpu = median(rounds.map(({ ours, dispatch }) => ours.cpuUsPerCall / dispatch.cpuUsPerCall))
const [ours, bare] = (['ours', 'dispatch'] as const).map((client) => ({
  perSecond: Math.round(median(rounds.map((round) => round[client].callsPerSecond))),
  cpuUs: Math.round(median(rounds.map((round) => round[client].cpuUsPerCall))),
}))
const size = `${Math.round(body.length / 1_000)} kB`
console.log(`${size}: ${ours?.perSecond}/s, bare undici ${bare?.perSecond}/s, ratio ${rate.toFixed(2)} (bar ≥ ${RATE_BAR})`)
console.log(`${size}: ${ours?.cpuUs} µs of CPU a call, bare undici ${bare?.cpuUs} µs, ratio ${cpu.toFixed(2)} (bar ≤ ${CPU_BAR})`)
if (!(rate >= RATE_BAR) || !(cpu <= CPU_BAR)) process.exitCode = 1
