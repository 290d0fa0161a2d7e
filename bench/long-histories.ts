/**
 * Calls with 200 kB of history, against bare undici that sends a ready buffer of the same size: how many a second where the
 * history is as it was recorded, and the processor's time of a call where a live answer has taken a turn's place. The
 * clients take turns, and the median of the rounds' ratios counts.
 */
import type { Message } from '../src/message/index.ts'
import { median, openFixedStreamLoad, readyBody, takeTurns } from './fixed-stream-load.ts'

const RATE_BAR = 0.9
const CPU_BAR = 1.15
const CONCURRENCY = 64
const TURNS = 40
const TURN_BYTES = 5_000
const ANSWER_BYTES = 1_000

const words = 'The tool reports that all of the checks have passed, but for the one that was left out of it. '
const turn = (index: number, bytes = TURN_BYTES) => `${index} ${words.repeat(bytes / words.length)}`
const roleOf = (index: number) => (index % 2 === 0 ? 'user' : 'assistant')
const text = (role: 'user' | 'assistant', content: string): Message => ({ role, parts: [{ type: 'text', text: content }] })

const history = Array.from({ length: TURNS }, (_, index) => text(roleOf(index), turn(index)))
const before = history.slice(0, -2)
const question = text('user', turn(TURNS))
const body = readyBody(Array.from({ length: TURNS }, (_, index) => ({ role: roleOf(index), content: turn(index) })))

/** As they come from a reader: each a string of its own, in one piece. */
const answers = Array.from({ length: CONCURRENCY }, (_, index) => Buffer.from(turn(index, ANSWER_BYTES)).toString())
const answer = (index: number) => text('assistant', answers[index % answers.length] ?? '')

const load = await openFixedStreamLoad(CONCURRENCY)
const rounds = await takeTurns(
  {
    recorded: load.replayCall(() => history),
    spliced: load.replayCall((index) => [...before, answer(index), question]),
    request: load.bareRequest(body),
    dispatch: load.bareDispatch(body),
  },
  { rounds: 15, calls: 1_000, concurrency: CONCURRENCY },
)
await load.close()

const size = `${Math.round(body.length / 1_000)} kB`
for (const [client, counts] of [
  ['request', true],
  ['dispatch', false],
] as const) {
  const rate = median(rounds.map((round) => round.recorded.callsPerSecond / round[client].callsPerSecond))
  const cpu = median(rounds.map((round) => round.spliced.cpuUsPerCall / round[client].cpuUsPerCall))
  const bare = `bare undici \`${client}\``
  const perSecond = (name: typeof client | 'recorded') => Math.round(median(rounds.map((round) => round[name].callsPerSecond)))
  const cpuUs = (name: typeof client | 'spliced') => Math.round(median(rounds.map((round) => round[name].cpuUsPerCall)))
  const bar = (limit: string) => (counts ? `bar ${limit}` : 'no bar')
  console.log(
    `${size}, recorded: ${perSecond('recorded')}/s, ${bare} ${perSecond(client)}/s, ratio ${rate.toFixed(2)} (${bar(`≥ ${RATE_BAR}`)})`,
  )
  console.log(
    `${size}, spliced: ${cpuUs('spliced')} µs of CPU a call, ${bare} ${cpuUs(client)} µs, ratio ${cpu.toFixed(2)} (${bar(`≤ ${CPU_BAR}`)})`,
  )
  if (counts && (!(rate >= RATE_BAR) || !(cpu <= CPU_BAR))) process.exitCode = 1
}
