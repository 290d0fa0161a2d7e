import { expect, test } from 'vitest'
import { assistant, callIds, chat, otlpFile, readFiles, type SpanSketch, user } from './trace.fixture.ts'

const inside = (id: string, start: number, input: unknown[], output: string): SpanSketch =>
  chat(id, start, start + 10, input, [assistant(output)], { parent: 'outer' })
const outer = (input: unknown[], output: string | null): SpanSketch =>
  chat('outer', 0, 100, input, output === null ? null : [assistant(output)])

const first = inside('first', 5, [user('Plan.')], 'A plan.')
const second = inside('second', 20, [user('Plan.'), assistant('A plan.'), user('Go on.')], 'Done.')

test.each(['Done.', 'A plan.', null])(
  'a span with the input of the first call inside and the output %s is their loop',
  (output) => {
    const { sessions, warnings } = readFiles([otlpFile([outer([user('Plan.')], output), first, second])])
    expect(callIds({ sessions, warnings })).toEqual([['first', 'second']])
    expect(warnings.map(({ code }) => code)).toEqual(['loop-of-calls'])
  },
)

test.each([
  ['another input', outer([user('Ask an agent.')], 'Done.')],
  ['an output of its own', outer([user('Plan.')], 'Let me ask an agent.')],
])('a span with %s is a call that encloses others', (_, around) => {
  expect(callIds(readFiles([otlpFile([around, first, second])]))).toEqual([['outer', 'first', 'second']])
})

test('calls that are nested further down are inside the nearest call', () => {
  const between: SpanSketch = { id: 'between', parent: 'outer', start: 1, end: 99 }
  const calls = [first, second].map((call) => ({ ...call, parent: 'between' }))
  expect(callIds(readFiles([otlpFile([outer([user('Plan.')], 'Done.'), between, ...calls])]))).toEqual([['first', 'second']])
})
