import { expect, test } from 'vitest'
import { assistant, callIds, chat, otlpFile, readFiles, type SpanSketch, user } from './trace.fixture.ts'

const read = (...spans: SpanSketch[]) => readFiles([otlpFile(spans)])
const inTrace = (trace: string, more: Partial<SpanSketch> = {}) => ({ trace, ...more })
const named = (conversation: string) => ({ attributes: { 'gen_ai.conversation.id': conversation } })

const hi = [user('hi')]
const yes = [assistant('yes')]
const talk = (...texts: string[]) => texts.map((text, index) => (index % 2 === 0 ? user(text) : assistant(text)))

test('calls of one trace are a session, in order of their start', () => {
  const reading = read(
    chat('b', 20, 30, talk('hi', 'yes', 'ho'), yes),
    chat('a', 0, 10, hi, yes),
    chat('c', 5, 15, hi, yes, inTrace('t2')),
  )
  expect(callIds(reading)).toEqual([['a', 'b'], ['c']])
  expect(reading.sessions.map(({ id, attributes }) => [id, attributes])).toEqual([
    ['trace', { 'service.name': 'agent' }],
    ['t2', { 'service.name': 'agent' }],
  ])
})

test.each(['gen_ai.conversation.id', 'session.id', 'langfuse.session.id'])('%s joins traces and files', (key) => {
  const call = (id: string, start: number, trace: string) =>
    chat(id, start, start + 10, hi, yes, { trace, attributes: { [key]: 'c1' } })
  const reading = readFiles([
    otlpFile([call('a', 0, 't1')]),
    otlpFile([call('b', 20, 't2'), chat('c', 40, 50, hi, yes, inTrace('t3'))]),
  ])
  expect(callIds(reading)).toEqual([['a', 'b'], ['c']])
  expect(reading.sessions.map(({ id, source }) => [id, source])).toEqual([
    ['c1', 'a'],
    ['t3', 'b'],
  ])
})

test('the outermost span that names a conversation decides for all inside', () => {
  const reading = read(
    { id: 'root', start: 0, end: 100, ...named('outer') },
    { id: 'agent', start: 0, end: 50, parent: 'root', ...named('inner') },
    chat('a', 1, 10, hi, yes, { parent: 'agent', ...named('inner') }),
    chat('b', 20, 30, [user('ho')], yes, { parent: 'root' }),
  )
  expect(reading.sessions.map(({ id, calls }) => [id, calls.length])).toEqual([['outer', 2]])
})

test('a call that names no conversation takes the only one of its trace', () => {
  expect(callIds(read(chat('a', 0, 10, hi, yes, named('c1')), chat('b', 20, 30, hi, yes)))).toEqual([['a', 'b']])
  const two = read(chat('a', 0, 10, hi, yes, named('c1')), chat('b', 20, 30, hi, yes, named('c2')), chat('c', 40, 50, hi, yes))
  expect(callIds(two)).toEqual([['a'], ['b'], ['c']])
})

test('traces of one call each that continue one another are one session', () => {
  const reading = read(
    chat('c', 40, 50, talk('hi', 'yes', 'ho', 'no', 'he'), yes, inTrace('t3')),
    chat('a', 0, 10, hi, yes, inTrace('t1')),
    chat('b', 20, 30, talk('hi', ' yes\n', 'ho'), [assistant('no')], inTrace('t2')),
    chat('x', 21, 31, [user('other')], yes, inTrace('t4')),
  )
  expect(callIds(reading)).toEqual([['a', 'b', 'c'], ['x']])
  expect(reading.sessions.map(({ id }) => id)).toEqual(['t1', 't4'])
})

test('equal beginnings of two conversations are told apart by their outputs, then by time', () => {
  const reading = read(
    chat('a1', 0, 10, hi, [assistant('one')], inTrace('1')),
    chat('a2', 1, 11, hi, [assistant('two')], inTrace('2')),
    chat('b2', 20, 30, talk('hi', 'two', 'go on'), yes, inTrace('3')),
    chat('b1', 21, 31, talk('hi', 'one', 'go on'), yes, inTrace('4')),
    chat('a3', 40, 50, hi, [assistant('one')], inTrace('5')),
    chat('b3', 60, 70, talk('hi', 'one', 'go on'), yes, inTrace('6')),
  )
  expect(callIds(reading)).toEqual([
    ['a1', 'b1'],
    ['a2', 'b2'],
    ['a3', 'b3'],
  ])
})

test('a call is not continued before it has ended, nor by the same request again', () => {
  const overlapping = read(chat('a', 0, 30, hi, yes, inTrace('1')), chat('b', 20, 40, talk('hi', 'yes', 'ho'), yes, inTrace('2')))
  expect(callIds(overlapping)).toEqual([['a'], ['b']])
  expect(callIds(read(chat('a', 0, 10, hi, null, inTrace('1')), chat('b', 20, 30, hi, null, inTrace('2'))))).toEqual([
    ['a'],
    ['b'],
  ])
})

test('a history is followed through calls whose output was not recorded', () => {
  const reading = read(
    chat('a', 0, 10, hi, yes, inTrace('1')),
    chat('b', 20, 30, talk('hi', 'yes', 'ho'), null, inTrace('2')),
    chat('c', 40, 50, talk('hi', 'yes', 'ho', 'lost', 'he'), yes, inTrace('3')),
  )
  expect(callIds(reading)).toEqual([['a', 'b', 'c']])
})

test('a call without a recorded output is continued by a longer history', () => {
  const reading = read(
    chat('a', 0, 10, hi, null, inTrace('1')),
    chat('b', 20, 30, talk('hi', 'lost', 'ho'), yes, inTrace('2')),
    chat('x', 40, 50, talk('he', 'lost', 'ho'), yes, inTrace('3')),
  )
  expect(callIds(reading)).toEqual([['a', 'b'], ['x']])
})

test('traces of several calls are not joined by content', () => {
  const reading = read(
    chat('a', 0, 10, hi, yes, inTrace('1')),
    chat('b', 20, 30, talk('hi', 'yes', 'ho'), yes, inTrace('2')),
    chat('c', 40, 50, talk('hi', 'yes', 'ho', 'yes', 'he'), yes, inTrace('2')),
  )
  expect(callIds(reading)).toEqual([['a'], ['b', 'c']])
})
