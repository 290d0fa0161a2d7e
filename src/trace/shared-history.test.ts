import { expect, test } from 'vitest'
import { Interner, type JsonObject, readMessages } from '../message/index.ts'
import { ContentReader } from './content-reader.ts'
import { EmbeddedHistory } from './embedded-history.ts'
import { HistoryReader } from './history-reader.ts'
import { parseSharing } from './parse-sharing.ts'
import { beginningOf, sharedTextsOf, textFrom } from './shared-texts.ts'

const interner = new Interner()
const context = { interner, report: () => {} }

const turn = (k: number) => ({ role: k % 2 === 0 ? 'user' : 'assistant', content: `${k} "✓" ${'deep and blue '.repeat(60)}` })
const turns = (from: number, to: number) => Array.from({ length: to - from }, (_, k) => turn(from + k))
const lists: readonly (readonly object[])[] = [
  turns(0, 4),
  turns(0, 6),
  turns(0, 6),
  // Branches, at an entry and inside one.
  [...turns(0, 5), turn(90)],
  [...turns(0, 4), { ...turn(4), content: `${turn(4).content}!` }, turn(5)],
  // One agent of another kind between.
  turns(50, 56),
  [...turns(0, 6), turn(6), { role: 'user', content: '}],{"' }],
  turns(0, 3),
  turns(0, 9),
]

/** The texts as a file gives them, which knows how they go on from one another. */
function sharing(texts: readonly string[]) {
  const document = parseSharing(Buffer.from(JSON.stringify(texts)), true)?.value as readonly string[]
  const shared = sharedTextsOf(document)
  if (shared === undefined) throw new Error('The texts were not told apart.')
  return { shared, texts: document }
}

const WRITTEN: [string, (list: readonly object[], k: number) => string][] = [
  ['first', (messages, k) => JSON.stringify({ messages, tools: [{ name: `tool ${k}` }] })],
  ['behind others', (messages) => JSON.stringify({ model: 'm', tools: [{ name: 'tool' }], messages })],
  ['indented', (messages) => JSON.stringify({ body: { messages } }, null, 2)],
  ['a batch of one', (messages) => JSON.stringify({ messages: [messages], n: 1 })],
]

test.each(WRITTEN)('requests of a file are read as each by itself: the list %s', (_, write) => {
  const { shared, texts } = sharing(lists.map(write))
  let entries = 0
  const read = (entry: JsonObject) => {
    entries += 1
    return readMessages(entry, context)
  }
  const history = new EmbeddedHistory([shared])
  const together = texts.map((text) => history.read(text, read)?.messages)
  const [all, counted] = [lists.flat().length, entries]
  expect(together).toEqual(texts.map((text) => new EmbeddedHistory().read(text, read)?.messages))
  expect(together.map((messages) => messages?.length)).toEqual(lists.map(({ length }) => length))
  expect(counted).toBeLessThan(all / 2)
})

test('lists of a file are read as each by itself', () => {
  const { shared, texts } = sharing(lists.map((list) => JSON.stringify(list)))
  const parse = (list: string) => readMessages(JSON.parse(list), context)
  const history = new HistoryReader([shared])
  expect(texts.map((text) => history.read(text, parse))).toEqual(texts.map(parse))
})

test('what is new in a text is had without the rest of it', () => {
  const { shared, texts } = sharing(lists.map((list) => JSON.stringify(list)))
  for (const text of texts) {
    const found = shared.find(text)
    if (found === undefined) throw new Error('A text is missing.')
    for (const from of [0, 1, 700, found.common, found.common + 1, text.length - 1, text.length]) {
      expect(textFrom(found, from)).toBe(text.slice(from))
    }
    for (const length of [0, 1, 100, 5_000]) expect(beginningOf(found, length)).toBe(text.slice(0, length))
  }
})

test('a pattern is found wherever a text holds it', () => {
  const marked = lists.map((list, k) => JSON.stringify(k === 6 ? [...list, { role: 'user', content: '[cut]' }] : list))
  const { shared, texts } = sharing([...marked, marked[6]?.replace(/\]$/, ',{"role":"user"}]') ?? ''])
  const content = new ContentReader(interner, new Map(), () => {}, [shared])
  expect(texts.map((text) => content.holds(text, /\[cut\]/))).toEqual(texts.map((text) => text.includes('[cut]')))
})
