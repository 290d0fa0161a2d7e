/**
 * One sitting of the benchmark of short calls, in a process of its own: the clients take turns. Tells the parent the rounds.
 */
import type { Message } from '../src/message/index.ts'
import { type Load, openFixedStreamLoad, readyBody, takeTurns } from './fixed-stream-load.ts'

export type Client = 'ours' | 'request' | 'dispatch'

export type Sitting = readonly Readonly<Record<Client, Load>>[]

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
const rounds = await takeTurns<Client>(
  {
    ours: load.replayCall((index) => recorded[index % recorded.length] ?? []),
    request: load.bareRequest(body),
    dispatch: load.bareDispatch(body),
  },
  { rounds: 7, calls: 5_000, concurrency: CONCURRENCY },
)
await load.close()

process.send?.(rounds satisfies Sitting)
process.disconnect()
