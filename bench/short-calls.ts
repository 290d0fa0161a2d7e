/**
 * Short calls (1 kB in, 16 chunks out, 64 at once) on one thread, against bare undici. The server writes a whole response at
 * once: the hardest case, for no real server's chunks come without a read of the socket between them. The clients take turns,
 * and the median of the rounds' ratios counts.
 */
import type { Message } from '../src/message/index.ts'
import { median, openFixedStreamLoad, readyBody, takeTurns } from './fixed-stream-load.ts'

const REQUEST_BAR = 0.8
const DISPATCH_BAR = 0.6
const CONCURRENCY = 64

const instructions = 'You are a helpful assistant. '.repeat(8)
const question = 'What is the state of the build, and what should be done about it? '.repeat(11)
const system: Message = { role: 'system', parts: [{ type: 'text', text: instructions }] }
/** As a replay that repeats its corpus: what a call sends has been recorded once and is sent many times. */
const recorded = Array.from({ length: 1_000 }, (_, index): readonly Message[] => [
  system,
  { role: 'user', parts: [{ type: 'text', text: `${index} ${question}` }] },
])
const body = readyBody([
  { role: 'system', content: instructions },
  { role: 'user', content: `0 ${question}` },
])

const load = await openFixedStreamLoad(CONCURRENCY)
const rounds = await takeTurns(
  {
    ours: load.replayCall((index) => recorded[index % recorded.length] ?? []),
    request: load.bareRequest(body),
    dispatch: load.bareDispatch(body),
  },
  { rounds: 9, calls: 5_000, concurrency: CONCURRENCY },
)
await load.close()

const perSecond = (client: 'ours' | 'request' | 'dispatch') =>
  Math.round(median(rounds.map((round) => round[client].callsPerSecond)))
for (const [client, bar] of [
  ['request', REQUEST_BAR],
  ['dispatch', DISPATCH_BAR],
] as const) {
  const ratio = median(rounds.map((round) => round.ours.callsPerSecond / round[client].callsPerSecond))
  const figures = `${perSecond('ours')}/s, bare undici \`${client}\` ${perSecond(client)}/s`
  console.log(`short calls: ${figures}, ratio ${ratio.toFixed(2)} (bar ≥ ${bar})`)
  if (!(ratio >= bar)) process.exitCode = 1
}
