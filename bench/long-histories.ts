/**
 * Calls with 200 kB of history, against bare undici that sends a ready buffer of the same size: how many a second where the
 * history is as it was recorded, and the processor's time of a call where a live answer has taken a turn's place. The
 * clients take turns, in several processes one after the other: where a process's memory comes to lie makes a tenth of a
 * difference that no number of rounds in it evens out. The median of all rounds' ratios counts.
 */
import { median } from './fixed-stream-load.ts'
import type { Client, Sitting } from './long-histories-client.ts'
import { toldByProcess } from './told-by-process.ts'

const RATE_BAR = 0.9
const CPU_BAR = 1.15
const SITTINGS = 5

const sittings: Sitting[] = []
while (sittings.length < SITTINGS) sittings.push(await toldByProcess<Sitting>('./long-histories-client.js'))
const rounds = sittings.flatMap((sitting) => sitting.rounds)

const size = `${Math.round((sittings[0]?.bodyBytes ?? 0) / 1_000)} kB`
for (const [client, counts] of [
  ['request', true],
  ['dispatch', false],
] as const) {
  const rate = median(rounds.map((round) => round.recorded.callsPerSecond / round[client].callsPerSecond))
  const cpu = median(rounds.map((round) => round.spliced.cpuUsPerCall / round[client].cpuUsPerCall))
  const bare = `bare undici \`${client}\``
  const perSecond = (name: Client) => Math.round(median(rounds.map((round) => round[name].callsPerSecond)))
  const cpuUs = (name: Client) => Math.round(median(rounds.map((round) => round[name].cpuUsPerCall)))
  const bar = (limit: string) => (counts ? `bar ${limit}` : 'no bar')
  console.log(
    `${size}, recorded: ${perSecond('recorded')}/s, ${bare} ${perSecond(client)}/s, ratio ${rate.toFixed(2)} (${bar(`≥ ${RATE_BAR}`)})`,
  )
  console.log(
    `${size}, spliced: ${cpuUs('spliced')} µs of CPU a call, ${bare} ${cpuUs(client)} µs, ratio ${cpu.toFixed(2)} (${bar(`≤ ${CPU_BAR}`)})`,
  )
  if (counts && (!(rate >= RATE_BAR) || !(cpu <= CPU_BAR))) process.exitCode = 1
}
