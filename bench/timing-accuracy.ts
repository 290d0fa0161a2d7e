/**
 * How true our times are: TTFT and ITL as the client has them, against a server that says in each chunk when it wrote it.
 * What lies between the two is the way from one socket to the other, and the client's own lateness. A bare socket that does
 * nothing but note the time of each read goes the same way: its error is that of the machine and the server. The median of
 * the rounds counts, and each client has a process of its own for each load: what one leaves would be collected while another is timed.
 * Ours is one that `replayProject` starts; what the same client shows in a process as Node starts it stands beside it.
 *
 * Other processes on the machine show in both. On Linux they can be kept out: `chrt -r 10 node bench/dist/bench/timing-accuracy.js`.
 */
import { WORKER_HEAP_ARGS } from '../src/vitest/worker-heap.ts'
import type { Errors, Quantiles, StreamsToTime } from './timed-streams-client.ts'
import { toldByProcess } from './told-by-process.ts'

/** As a server decodes: the more streams, the longer a step takes. Of few streams a p99 is two or three: they take more rounds. */
const LOADS: readonly Load[] = [
  { streams: 200, gapMs: 20, rounds: 9, barMs: 1 },
  { streams: 500, gapMs: 50, rounds: 5, barMs: 5 },
  { streams: 1_000, gapMs: 100, rounds: 5, barMs: 5 },
]
/** Where nothing is asserted. */
const PLAIN_ROUNDS = 3

interface Load {
  readonly streams: number
  readonly gapMs: number
  readonly rounds: number
  readonly barMs: number
}

async function errorsOf(toTime: StreamsToTime, execArgv: readonly string[]): Promise<Errors> {
  return usual(await toldByProcess<readonly Errors[]>('./timed-streams-client.js', toTime, execArgv))
}

/** The median of each figure. */
function usual(rounds: readonly Errors[]): Errors {
  const median = (figure: (errors: Errors) => number) =>
    rounds.map(figure).toSorted((a, b) => a - b)[Math.floor(rounds.length / 2)] ?? Number.NaN
  const both = (of: (errors: Errors) => Quantiles): Quantiles => ({
    p50: median((errors) => of(errors).p50),
    p99: median((errors) => of(errors).p99),
  })
  return { ttft: both(({ ttft }) => ttft), itl: both(({ itl }) => itl) }
}

function inWords({ ttft, itl }: Errors): string {
  const ms = (value: number) => value.toFixed(2).padStart(6)
  return [ttft, itl].map(({ p50, p99 }) => `${ms(p50)} / ${ms(p99)}`).join('  ')
}

let missed = false
console.log(
  'error, p50 / p99, ms     bare socket: TTFT, ITL            ours: TTFT, ITL                 at most   as Node starts it: TTFT, ITL',
)
for (const { barMs, ...load } of LOADS) {
  const bare = await errorsOf({ client: 'bare', ...load }, WORKER_HEAP_ARGS)
  const ours = await errorsOf({ client: 'ours', ...load }, WORKER_HEAP_ARGS)
  const plain = await errorsOf({ client: 'ours', ...load, rounds: PLAIN_ROUNDS }, [])
  const ok = ours.ttft.p99 <= barMs && ours.itl.p99 <= barMs
  missed ||= !ok
  console.log(
    `${ok ? 'ok  ' : 'MISS'} ${String(load.streams).padStart(5)} streams   ${inWords(bare)}   ${inWords(ours)}      ${barMs}       ${inWords(plain)}`,
  )
}
if (missed) process.exitCode = 1
