import { expect, test } from 'vitest'
import { parseSharing } from './parse-sharing.ts'
import { sharedTextsOf } from './shared-texts.ts'

const parse = (text: string) => parseSharing(Buffer.from(text))

const turn = (index: number) => ({
  role: index % 2 === 0 ? 'user' : 'assistant',
  content: `turn ${index}: "é✓😀" \\ ${'x'.repeat(1_500)}`,
})
const turns = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => turn(from + index))
const history = (...lists: object[][]) => JSON.stringify(lists.flat())

const DOCUMENTS: [string, unknown][] = [
  ['a history that grows', { spans: Array.from({ length: 12 }, (_, call) => ({ a: history(turns(0, 4 + call)), id: call })) }],
  ['the same history again', [history(turns(0, 5)), history(turns(0, 5)), history(turns(0, 5))]],
  [
    'branches',
    [
      history(turns(0, 5)),
      history(turns(0, 5), turns(7, 8)),
      history(turns(0, 5), turns(9, 12)),
      history(turns(0, 5), turns(7, 9)),
    ],
  ],
  ['agents that take turns', Array.from({ length: 60 }, (_, call) => history([turn(1_000 + (call % 40))], turns(0, 4 + call)))],
  ['a history that shrinks', [history(turns(0, 9)), history(turns(0, 5)), history(turns(0, 6))]],
  [
    'a list that only looks like the beginning of another',
    [`[${'1'.repeat(5_000)}]`, `[${'1'.repeat(5_000)}2]`, `[${'1'.repeat(5_000)},3]`, `[${'1'.repeat(5_000)}] `],
  ],
  [
    'escapes at the seam',
    [
      `[${'\\'.repeat(5_000)}]`,
      `[${'\\'.repeat(5_000)},"]`,
      `[${'"'.repeat(5_000)}]`,
      `[${'"'.repeat(5_000)},\\]`,
      `[${'\n'.repeat(5_000)}],`,
    ],
  ],
  ['long texts that are no lists', { a: 'y'.repeat(10_000), b: { c: ['z'.repeat(10_000), `{${'z'.repeat(10_000)}`] }, d: [] }],
  ['a long key', { ['k'.repeat(10_000)]: 'v', [`[${'k'.repeat(10_000)}]`]: `[${'k'.repeat(10_000)},1]` }],
  ['a text alone', 'y'.repeat(10_000)],
  ['no long text', { a: [1, null, true, 'x', {}] }],
]

test.each(DOCUMENTS)('reads what JSON.parse reads: %s', (_, document) => {
  for (const text of [
    JSON.stringify(document),
    JSON.stringify(document, null, 2),
    JSON.stringify(document).replaceAll('é', '\\u00e9'),
  ]) {
    expect(parse(text)).toEqual({ value: JSON.parse(text) })
  }
})

test('a text knows which one it goes on from, and what it adds', () => {
  const texts = [history(turns(0, 3)), history(turns(0, 4)), history(turns(0, 6))]
  const value = parse(JSON.stringify({ texts }))?.value as { texts: string[] }
  const shared = value.texts.map((text) => sharedTextsOf(value)?.find(text))
  expect(shared.map((text) => text?.text)).toEqual(texts)
  expect(shared.map((text) => text?.base)).toEqual([undefined, shared[0], shared[1]])
  expect(shared.map((text) => text?.rest.length)).toEqual([
    texts[0]?.length,
    history([turn(3)]).length,
    history(turns(4, 6)).length,
  ])
  expect(sharedTextsOf(value)?.find('x'.repeat(texts[0]?.length ?? 0))).toBeUndefined()
})

test('a key named __proto__ is a key', () => {
  const text = `{"__proto__":"${'x'.repeat(5_000)}","a":{"__proto__":{"b":"${'y'.repeat(5_000)}"}}}`
  const value = parse(text)?.value as object
  expect(Object.keys(value)).toEqual(['__proto__', 'a'])
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  expect(JSON.stringify(value)).toBe(text)
})

test('depth costs no stack', () => {
  const text = `["${'x'.repeat(5_000)}",${'['.repeat(200_000)}${']'.repeat(200_000)}]`
  const [long] = (parse(text)?.value ?? []) as unknown[]
  expect(long).toBe('x'.repeat(5_000))
})

test('a file that is mostly something else is left to JSON.parse', () => {
  const rows = Array.from({ length: 200_000 }, (_, index) => ({ id: index, name: 'row' }))
  expect(parse(JSON.stringify(rows))).toBeUndefined()
})

test.each(['', '[', '["', '["x', '{"a":"x" "b"}', '["x"', 'nope', '["\\x"]', '["\\'])(
  'what is no JSON is left to JSON.parse: %j',
  (end) => {
    const long = JSON.stringify(history(turns(0, 5)))
    const longer = JSON.stringify(history(turns(0, 6)))
    expect(parse(end)).toBeUndefined()
    expect(parse(`[${long},${longer},${end}`)).toBeUndefined()
    expect(parse(`[${long},${longer.slice(0, -20)}\\x"]`)).toBeUndefined()
  },
)

test('cut and flipped bytes give what JSON.parse gives, or nothing', () => {
  const bytes = Buffer.from(
    JSON.stringify({ spans: Array.from({ length: 5 }, (_, call) => ({ a: history(turns(0, 3 + call)) })) }),
  )
  let state = 3
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state >>> 8) % below
  }
  for (let round = 0; round < 400; round++) {
    const changed = Buffer.from(round % 4 === 0 ? bytes.subarray(0, random(bytes.length)) : bytes)
    if (round % 4 !== 0) changed[random(changed.length)] = 0x20 + random(0x5f)
    const parsed = parseSharing(changed)
    if (parsed !== undefined) expect(JSON.stringify(parsed.value)).toBe(JSON.stringify(JSON.parse(changed.toString())))
  }
})
