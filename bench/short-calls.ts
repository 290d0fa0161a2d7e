/**
 * Short calls (1 kB in, 16 chunks out, 64 at once) on one thread, against bare undici. The server writes a whole response at
 * once: the hardest case, for no real server's chunks come without a read of the socket between them. The clients take turns,
 * in several processes one after the other: what is compiled when, and where memory comes to lie, makes a tenth of a
 * difference between them. The median of all rounds' ratios counts.
 */
import { median } from './fixed-stream-load.ts'
import type { Client, Sitting } from './short-calls-client.ts'
import { toldByProcess } from './told-by-process.ts'

const REQUEST_BAR = 0.8
const DISPATCH_BAR = 0.6
const SITTINGS = 5

const sittings: Sitting[] = []
while (sittings.length < SITTINGS) sittings.push(await toldByProcess<Sitting>('./short-calls-client.js'))
const rounds = sittings.flat()

const perSecond = (client: Client) => Math.round(median(rounds.map((round) => round[client].callsPerSecond)))
for (const [client, bar] of [
  ['request', REQUEST_BAR],
  ['dispatch', DISPATCH_BAR],
] as const) {
  const ratio = median(rounds.map((round) => round.ours.callsPerSecond / round[client].callsPerSecond))
  const figures = `${perSecond('ours')}/s, bare undici \`${client}\` ${perSecond(client)}/s`
  console.log(`short calls: ${figures}, ratio ${ratio.toFixed(2)} (bar ≥ ${bar})`)
  if (!(ratio >= bar)) process.exitCode = 1
}
