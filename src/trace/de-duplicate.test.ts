import { expect, test } from 'vitest'
import { assistant, callIds, chat, flatFile, oneCall, readFiles, type SpanSketch, user } from './trace.fixture.ts'

const read = (...spans: SpanSketch[]) => readFiles([flatFile(spans)])
const codes = ({ warnings }: ReturnType<typeof read>) =>
  warnings.map(({ code, count }) => (count === undefined ? code : `${code} ×${count}`))

const hi = [user('hi')]
const yes = [assistant('yes')]
const usage = { 'gen_ai.usage.input_tokens': 3 }
const bare = (id: string, start: number, end: number, more: Partial<SpanSketch> = {}) => chat(id, start, end, null, null, more)

test('a span recorded twice counts once', () => {
  const reading = read(chat('a', 0, 10, hi, yes), chat('b', 0, 10, hi, yes), chat('a', 0, 10, hi, yes))
  expect(callIds(reading)).toEqual([['a']])
  expect(codes(reading)).toEqual(['duplicate-span', 'duplicate-call'])
})

test.each<[string, SpanSketch]>([
  ['another end', chat('b', 0, 11, hi, yes)],
  ['another output', chat('b', 0, 10, hi, [assistant('no')])],
  ['another input', chat('b', 0, 10, [user('ho')], yes)],
  ['another response id', chat('b', 0, 10, hi, yes, { attributes: { 'gen_ai.response.id': 'r' } })],
])('calls at once that differ are two: %s', (_, other) => {
  expect(callIds(read(chat('a', 0, 10, hi, yes), other))).toEqual([['a', 'b']])
})

test('different spans with one id are told apart', () => {
  const reading = read(chat('a', 0, 10, hi, yes), chat('a', 20, 30, [user('ho')], yes), chat('a', 40, 50, [user('he')], yes))
  expect(callIds(reading)).toEqual([['a', 'a~2', 'a~3']])
  expect(codes(reading)).toEqual(['duplicate-span-id ×2'])
})

test('failed attempts before a retry are attempts, not calls', () => {
  const reading = read(
    chat('a1', 0, 10, hi, null, { error: '429' }),
    chat('a2', 20, 30, hi, null, { error: '429' }),
    chat('a3', 40, 50, hi, yes),
    chat('b', 60, 70, [...hi, ...yes, user('ho')], yes),
  )
  expect(callIds(reading)).toEqual([['a3', 'b']])
  expect(codes(reading)).toEqual(['failed-attempt ×2'])
})

test('of attempts that all failed the last is the call, with its error', () => {
  const reading = read(chat('a1', 0, 10, hi, null, { error: 'first' }), chat('a2', 20, 30, hi, null, { error: 'last' }))
  expect(oneCall(reading)).toMatchObject({ id: 'a2', output: null, error: 'last' })
})

test.each<[string, SpanSketch]>([
  ['another input', chat('b', 20, 30, [user('ho')], yes)],
  ['another parent', chat('b', 20, 30, hi, yes, { parent: 'p' })],
  ['another model', chat('b', 20, 30, hi, yes, { attributes: { 'gen_ai.request.model': 'n' } })],
  ['at the same time', chat('b', 5, 30, hi, yes)],
])('a failed call is no attempt of one with %s', (_, other) => {
  expect(callIds(read(chat('a', 0, 10, hi, null, { error: 'no' }), other))).toEqual([['a', 'b']])
})

test('success before a repetition is a call', () => {
  expect(callIds(read(chat('a', 0, 10, hi, yes), chat('b', 20, 30, hi, yes)))).toEqual([['a', 'b']])
})

test('a wrapper and the client inside record one request: richest content, innermost timing, usage from whichever has it', () => {
  const reading = read(
    chat('outer', 0, 100, [{ role: 'system', content: 's' }, ...hi], yes, { scope: 'framework' }),
    bare('inner', 10, 90, { parent: 'outer', scope: 'client', attributes: usage }),
  )
  expect(oneCall(reading)).toMatchObject({
    id: 'outer',
    startMs: 0,
    endMs: 80,
    usage: { inputTokens: 3 },
    messages: { length: 2 },
  })
  expect(codes(reading)).toEqual(['duplicate-call'])
})

test('content inside, a bare wrapper around it', () => {
  const reading = read(bare('outer', 0, 100, { attributes: usage }), chat('inner', 10, 90, hi, yes, { parent: 'outer' }))
  expect(oneCall(reading)).toMatchObject({ id: 'inner', usage: { inputTokens: 3 }, spanPath: ['outer'] })
})

test('structure between two recordings of a request does not hide that they are one', () => {
  const reading = read(
    chat('outer', 0, 100, hi, yes),
    { id: 'chain', start: 5, end: 95, parent: 'outer' },
    chat('inner', 10, 90, hi, yes, { parent: 'chain' }),
  )
  expect(callIds(reading)).toEqual([['outer']])
})

test('calls inside a call that say something else are calls of their own', () => {
  const reading = read(
    chat('outer', 0, 100, hi, yes),
    chat('sub', 10, 90, [user('sub-task')], [assistant('sub-answer')], { parent: 'outer' }),
    chat('after', 200, 300, hi, yes, { parent: 'outer' }),
  )
  expect(callIds(reading)).toEqual([['outer', 'sub', 'after']])
})

test('several requests inside one span are a loop, and the span around them is not one of them', () => {
  const reading = read(
    bare('loop', 0, 100),
    chat('a', 10, 40, hi, yes, { parent: 'loop' }),
    chat('b', 50, 90, [user('ho')], yes, { parent: 'loop' }),
  )
  expect(callIds(reading)).toEqual([['a', 'b']])
  expect(codes(reading)).toEqual(['call-without-input'])
})

test('a retry inside a wrapper is one call', () => {
  const reading = read(
    chat('outer', 0, 100, hi, yes),
    chat('try1', 10, 40, hi, null, { parent: 'outer', error: '503' }),
    chat('try2', 50, 90, hi, yes, { parent: 'outer' }),
  )
  expect(oneCall(reading)).toMatchObject({ id: 'outer', endMs: 40, error: null })
})

const response = (id: string) => ({ attributes: { 'gen_ai.response.id': id } })

test('recordings without a link between them are one by response id', () => {
  const one = read(chat('a', 0, 100, hi, yes, response('r1')), bare('b', 10, 90, { trace: 'other', ...response('r1') }))
  expect(callIds(one)).toEqual([['a']])
  const two = read(chat('a', 0, 100, hi, yes, response('r1')), chat('b', 200, 300, hi, yes, response('r1')))
  expect(callIds(two)).toEqual([['a', 'b']])
})

test('recordings without a link between them are one by content and time, when two instrumentations made them', () => {
  const a = chat('a', 0, 100, [{ role: 'system', content: 's' }, ...hi], yes, { scope: 'one', trace: 't1' })
  const inside = (scope: string, model = 'm-2026') =>
    chat('b', 10, 90, hi, yes, { scope, trace: 't2', attributes: { 'gen_ai.request.model': model } })
  expect(callIds(read(a, inside('two')))).toEqual([['a']])
  // Parallel calls of one agent may well be equal.
  expect(callIds(read(a, inside('one')))).toEqual([['a', 'b']])
  expect(callIds(read(a, inside('two', 'other')))).toEqual([['a', 'b']])
})

test('a failure that only the wrapper saw, with the output at hand, is not the request’s', () => {
  const reading = read(chat('outer', 0, 100, hi, null, { error: 'parse' }), chat('inner', 10, 90, hi, yes, { parent: 'outer' }))
  expect(oneCall(reading)).toMatchObject({ error: null, output: { role: 'assistant' } })
  const failed = read(chat('outer', 0, 100, hi, null), bare('inner', 10, 90, { parent: 'outer', error: '500' }))
  expect(oneCall(failed)).toMatchObject({ error: '500', output: null })
})

test('calls without recorded input are left out, and counted', () => {
  const reading = read(chat('a', 0, 10, hi, yes), bare('b', 20, 30), chat('c', 40, 50, [{ role: 'user', parts: [] }], yes))
  expect(callIds(reading)).toEqual([['a']])
  expect(codes(reading)).toEqual(['call-without-input ×2'])
})
