import { expect, test, vi } from 'vitest'
import { Interner, type Message, readMessages } from '../message/index.ts'
import { HistoryReader } from './history-reader.ts'

function setUp() {
  const interner = new Interner()
  const parse = vi.fn((list: string): Message[] => readMessages(JSON.parse(list), { interner, report: () => {} }))
  const history = new HistoryReader()
  return { read: (text: string) => history.read(text, parse), parse, fresh: (text: string) => parse(text) }
}

const turn = (index: number) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content: `turn "${index}" ✓` })
const turns = (count: number) => Array.from({ length: count }, (_, index) => turn(index))

test.each([
  ['compact', (list: unknown) => JSON.stringify(list)],
  ['with spaces', (list: unknown) => JSON.stringify(list).replaceAll('},{', '}, {').replaceAll('":', '": ')],
  ['indented', (list: unknown) => JSON.stringify(list, null, 2)],
])('a list that begins with a known one costs only its rest: %s', (_, write) => {
  const { read, parse, fresh } = setUp()
  const short = read(write(turns(4)))
  parse.mockClear()
  const long = read(write(turns(6)))
  expect(parse).toHaveBeenCalledOnce()
  expect(JSON.parse(parse.mock.calls[0]?.[0] ?? '')).toHaveLength(2)
  expect(long.slice(0, 4)).toEqual(short)
  expect(long).toEqual(fresh(write(turns(6))))
  expect(long.every((message, index) => index >= 4 || message === short[index])).toBe(true)
})

test('the same list again is the same messages', () => {
  const { read, parse } = setUp()
  const text = JSON.stringify(turns(3))
  const first = read(text)
  parse.mockClear()
  expect(read(`${text} `)).toBe(first)
  expect(parse).not.toHaveBeenCalled()
})

test('branches of one list share it, and agents that take turns do not drive each other out', () => {
  const { read, parse } = setUp()
  read(JSON.stringify(turns(3)))
  for (let agent = 0; agent < 20; agent++) read(JSON.stringify([...turns(3), { role: 'user', content: `agent ${agent}` }]))
  parse.mockClear()
  for (let agent = 0; agent < 20; agent++) {
    read(JSON.stringify([...turns(3), { role: 'user', content: `agent ${agent}` }, turn(1)]))
  }
  expect(parse.mock.calls.map(([list]) => (JSON.parse(list) as unknown[]).length)).toEqual(Array(20).fill(1))
})

test('an agent that waits is not forgotten while another goes on', () => {
  const { read, parse } = setUp()
  const waiting = [{ role: 'user', content: 'wait' }]
  read(JSON.stringify(waiting))
  for (let length = 1; length <= 60; length++) read(JSON.stringify(turns(length)))
  parse.mockClear()
  read(JSON.stringify([...waiting, turn(1)]))
  expect(parse.mock.calls.map(([list]) => JSON.parse(list))).toEqual([[turn(1)]])
})

test.each([
  ['another list', '[{"role":"user","content":"x"}]'],
  ['a shorter one', '[{"role":"user","content":"turn"}]'],
  ['a longer number', '[10,{"role":"user","content":"x"}]'],
  ['white space around', `  ${JSON.stringify(turns(5), null, 1)}  `],
])('%s is read for itself', (_, text) => {
  const { read, fresh } = setUp()
  read('[1]')
  read('[{"role":"user","content":"turn 0"}]')
  expect(read(text)).toEqual(fresh(text))
})

test.each([
  '',
  ',',
  ',]',
  ',,{"role":"user"}]',
  '}]',
  ']]',
  '] x',
  ',{"role":"user"',
  ',{"role":"user"}}',
  ',{"role":"user"}] x',
  '][',
])('a known beginning does not make JSON of a broken end: %j', (end) => {
  const { read, fresh } = setUp()
  const opening = JSON.stringify(turns(3)).slice(0, -1)
  read(`${opening}]`)
  expect(() => fresh(opening + end)).toThrow(SyntaxError)
  expect(() => read(opening + end)).toThrow(SyntaxError)
})
