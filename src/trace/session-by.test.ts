import { expect, test } from 'vitest'
import { readSessions } from './read-sessions.ts'
import { assistant, chat, flatFile, otlpFile, user } from './trace.fixture.ts'

const call = (id: string, trace: string, ticket: string, start: number) =>
  chat(id, start, start + 10, [user(id)], [assistant('ok')], { trace, attributes: { 'ticket.id': ticket } })

const CALLS = [call('a', 't1', 'blue', 0), call('b', 't2', 'blue', 20), call('c', 't2', 'red', 40)]

function sessions(file: string) {
  const read = readSessions([{ name: 'x', bytes: Buffer.from(file) }], {
    warn: () => {},
    onInvalidTrace: 'fail',
    sessionBy: ({ attributes }) => attributes.get('ticket.id') as string | undefined,
  })
  return [...read].map((session) => [session.id, session.calls.map(({ id }) => id)])
}

test.each([
  ['traces', otlpFile(CALLS)],
  ['a file that is one session by itself', flatFile(CALLS)],
])('sessions of %s are formed by what the user says', (_, file) => {
  expect(sessions(file)).toEqual([
    ['blue', ['a', 'b']],
    ['red', ['c']],
  ])
})
