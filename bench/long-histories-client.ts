/**
 * One sitting of the benchmark of long histories, in a process of its own: the clients take turns. Tells the parent the rounds.
 */
import type { Message } from '../src/message/index.ts'
import { type Load, openFixedStreamLoad, readyBody, takeTurns } from './fixed-stream-load.ts'

export type Client = 'recorded' | 'spliced' | 'request' | 'dispatch'

export interface Sitting {
  readonly bodyBytes: number
  readonly rounds: readonly Readonly<Record<Client, Load>>[]
}

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
const rounds = await takeTurns<Client>(
  {
    recorded: load.replayCall(() => history),
    spliced: load.replayCall((index) => [...before, answer(index), question]),
    request: load.bareRequest(body),
    dispatch: load.bareDispatch(body),
  },
  { rounds: 15, calls: 1_000, concurrency: CONCURRENCY },
)
await load.close()

process.send?.({ bodyBytes: body.length, rounds } satisfies Sitting)
process.disconnect()
