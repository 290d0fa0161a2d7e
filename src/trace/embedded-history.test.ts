import { expect, test } from 'vitest'
import { Interner, type JsonObject, type Message, readMessages } from '../message/index.ts'
import { EmbeddedHistory } from './embedded-history.ts'

const interner = new Interner()
const readEntry = (entry: JsonObject) => readMessages(entry, { interner, report: () => {} })

/** Long enough to be remembered. */
const LONG = 'deep and blue '.repeat(200)
const turn = (k: number) => ({ role: k % 2 === 0 ? 'user' : 'assistant', content: `${k} ${LONG}` })
const conversation = (length: number) => Array.from({ length }, (_, k) => turn(k))

function reading() {
  const history = new EmbeddedHistory()
  let entries = 0
  const read = (text: string) => {
    const embedded = history.read(text, (entry) => {
      entries += 1
      return readEntry(entry)
    })
    return embedded?.messages.map(textOf)
  }
  return { read, entriesRead: () => entries }
}

function textOf({ parts }: Message): string {
  return parts.map((part) => ('text' in part ? part.text : part.type)).join()
}

const texts = (messages: readonly { content: string }[]) => messages.map(({ content }) => content)

test.each([
  ['compact', undefined],
  ['indented', 2],
])('an entry is read once, however often it is repeated: %s', (_, indent) => {
  const { read, entriesRead } = reading()
  for (let length = 1; length <= 30; length++) {
    const body = { model: 'm', messages: conversation(length), tools: [{ name: `tool ${length}` }] }
    expect(read(JSON.stringify(body, null, indent))).toEqual(texts(conversation(length)))
  }
  expect(entriesRead()).toBe(30)
})

test('what stands around the list is new each time', () => {
  const history = new EmbeddedHistory()
  const value = (length: number) => {
    const text = JSON.stringify({ body: { n: 1, messages: conversation(length), last: length } })
    return history.read(text, readEntry)?.value
  }
  for (const last of [2, 4, 6]) expect(value(last)).toMatchObject({ body: { n: 1, last } })
})

test('branches of one beginning share it', () => {
  const { read, entriesRead } = reading()
  const branch = (name: string) => JSON.stringify({ messages: [...conversation(8), { role: 'user', content: name }] })
  read(JSON.stringify({ messages: conversation(8) }))
  expect(read(branch('a'))?.at(-1)).toBe('a')
  expect(read(branch('b'))?.at(-1)).toBe('b')
  expect(entriesRead()).toBe(10)
})

test('an entry at the end that its continuation does not have is replaced', () => {
  const { read, entriesRead } = reading()
  const answered = (length: number) =>
    JSON.stringify([...conversation(length), { 'event.name': 'choice', role: 'assistant', content: `answer ${length}` }])
  read(answered(5))
  expect(read(answered(7))).toEqual([...texts(conversation(7)), 'answer 7'])
  expect(entriesRead()).toBe(6 + 3)
})

test('equal texts and shorter ones are read right', () => {
  const { read } = reading()
  for (const length of [6, 6, 3, 6]) {
    expect(read(JSON.stringify({ messages: conversation(length) }))).toEqual(texts(conversation(length)))
  }
})

test.each([
  ['a text without such a list', { input: LONG + LONG }],
  ['a list that is not of messages', { messages: [LONG, LONG] }],
  ['messages without a role', { messages: [{ content: LONG }, { text: LONG }] }],
])('%s is left to others', (_, body) => {
  expect(reading().read(JSON.stringify(body))).toBeUndefined()
})

test('of two lists under one key the last counts, as for the parser', () => {
  const { read } = reading()
  const twice = `{"messages":${JSON.stringify(conversation(3))},"messages":${JSON.stringify(conversation(1))}}`
  expect(read(twice)).toBeUndefined()
})

test.each(['', ',]}', ',', ', {"role":"user"', 'x'])('a continuation broken by %j is no JSON', (tail) => {
  const { read } = reading()
  const opening = JSON.stringify({ messages: conversation(3) }).slice(0, -2)
  read(`${opening}]}`)
  expect(() => read(`${opening}${tail}`)).toThrow(SyntaxError)
})

test('characters beyond Latin-1, at the edge of an entry, too', () => {
  const { read } = reading()
  const messages = ['é', '✓', '𝄞'].map((mark) => ({ role: 'user', content: `${mark}${LONG}${mark}` }))
  for (let length = 1; length <= 3; length++) {
    expect(read(JSON.stringify({ messages: messages.slice(0, length) }))).toEqual(texts(messages.slice(0, length)))
  }
})
