import { expect, test } from 'vitest'
import { TraceReplayError } from '../base/index.ts'
import { assistant, callIds, chat, flatFile, oneCall, otlpFile, readFiles, type SpanSketch, user } from './trace.fixture.ts'

const hi = [user('hi')]
const yes = [assistant('yes')]
const MANY = 1_000
const call = (attributes: Record<string, unknown>) => flatFile([chat('a', 0, 1, hi, yes, { attributes })])

const SAMPLE_SPANS: SpanSketch[] = [
  {
    id: '00000000000000aa',
    trace: 't',
    start: 0,
    end: 90,
    attributes: { 'gen_ai.operation.name': 'invoke_agent', list: [1, { a: null }] },
  },
  chat('00000000000000bb', 1, 10, [{ role: 'system', content: 'é✓' }, ...hi], yes, { trace: 't', parent: '00000000000000aa' }),
  chat(
    '00000000000000cc',
    20,
    30,
    [...hi, ...yes, { role: 'tool', tool_call_id: 'x', content: [{ type: 'text', text: 'r' }] }],
    [{ role: 'assistant', parts: [{ type: 'tool_call', id: 'c', name: 'ls', arguments: { a: [1] } }] }],
    { trace: 't', parent: '00000000000000aa', error: 'no' },
  ),
]
const SAMPLES = [
  flatFile(SAMPLE_SPANS),
  otlpFile(SAMPLE_SPANS, [{ traceId: 't', spanId: '00000000000000bb', body: { stringValue: 'x' } }]),
]

/** Whatever the bytes, the reader answers: sessions, an error of its own, under skip never an error. */
function holds(bytes: Uint8Array): void {
  try {
    readFiles([bytes])
  } catch (error) {
    if (!(error instanceof TraceReplayError)) throw error
    expect(error.message).toMatch(/^a: /)
  }
  readFiles([bytes], 'skip')
}

test.each(SAMPLES)('a truncated file is an error that says so', (sample) => {
  const bytes = Buffer.from(sample)
  for (let length = 0; length < bytes.length; length += 7) {
    const cut = bytes.subarray(0, length)
    expect(() => readFiles([cut])).toThrow(length === 0 ? 'The file is empty' : `at byte ${length}: the file looks cut off`)
    holds(cut)
  }
})

test.each(SAMPLES)('flipped bytes never crash the reader', (sample) => {
  const random = generator(7)
  for (let round = 0; round < 300; round++) {
    const bytes = Buffer.from(sample)
    for (let flips = 1 + (random() % 3); flips > 0; flips--) bytes[random() % bytes.length] = random() % 256
    holds(bytes)
  }
})

test.each(SAMPLES)('values of the wrong kind never crash the reader', (sample) => {
  const random = generator(11)
  const values = ['', 'x', '[{', '0x', '__proto__', 0, -1, 1e300, true, null, [], {}, [[[]]], { a: { b: [] } }, '9'.repeat(40)]
  for (let round = 0; round < 300; round++) {
    const document: unknown = JSON.parse(sample)
    const places = placesOf(document)
    for (let swaps = 1 + (random() % 3); swaps > 0; swaps--) {
      const place = places[random() % places.length]
      if (place !== undefined) place.object[place.key] = structuredClone(values[random() % values.length])
    }
    holds(Buffer.from(JSON.stringify(document)))
  }
})

function placesOf(value: unknown): { object: Record<string, unknown>; key: string }[] {
  if (typeof value !== 'object' || value === null) return []
  const object = value as Record<string, unknown>
  return Object.keys(object).flatMap((key) => [{ object, key }, ...placesOf(object[key])])
}

function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 8
  }
}

test.each<[string, (text: string) => Uint8Array]>([
  ['UTF-8 with a byte order mark', (text) => Buffer.from(`\ufeff${text}`)],
  ['UTF-16 little endian with a mark', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-16 little endian without', (text) => Buffer.from(text, 'utf16le')],
  ['UTF-16 big endian with a mark', (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ['UTF-16 big endian without', (text) => Buffer.from(text, 'utf16le').swap16()],
  ['a view into a larger buffer', (text) => Buffer.from(`xx${text}xx`).subarray(2, -2)],
])('text encodings: %s', (_, encode) => {
  const { parts } = oneCall(readFiles([encode(flatFile([chat('a', 0, 1, [user('é✓😀')], yes)]))])).messages[0] ?? {}
  expect(parts).toEqual([{ type: 'text', text: 'é✓😀' }])
})

test('bytes that are no UTF-8 are replaced, with a warning', () => {
  const bytes = Buffer.from(flatFile([chat('a', 0, 1, [user('a?b')], yes)]))
  bytes[bytes.indexOf('?')] = 0xff
  const reading = readFiles([bytes])
  expect(oneCall(reading).messages[0]?.parts).toEqual([{ type: 'text', text: 'a\ufffdb' }])
  expect(reading.warnings).toMatchObject([{ code: 'invalid-utf8', where: 'a' }])
})

test.each<[string, string]>([
  ['flat', `{"spans":[],"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  [
    'an attribute',
    `{"spans":[{"span_id":"a","attributes":{"gen_ai.operation.name":"chat","gen_ai.input.messages":${'['.repeat(100_000)}${']'.repeat(100_000)}}}]}`,
  ],
  ['an unknown document', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
])('deep nesting of structure is an error or nothing: %s', (_, text) => {
  holds(Buffer.from(text))
})

test('deep nesting inside content is an error that says so', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  expect(() => readFiles([call({ 'gen_ai.input.messages': `[{"role":"user","content":[${deep}]}]` })])).toThrow(
    'span a "chat m", content: It is nested too deeply to be read.',
  )
  const args = JSON.stringify([{ role: 'assistant', tool_calls: [{ id: 'c', name: 'ls', arguments: deep }] }])
  expect(oneCall(readFiles([call({ 'gen_ai.output.messages': args })])).output?.parts).toHaveLength(1)
})

test('names chosen by an attacker reach no prototype', () => {
  const attributes = JSON.parse(
    '{"__proto__":"x","constructor":"x","gen_ai.prompt.__proto__.polluted":"x","a":{"__proto__":{"polluted":1}}}',
  )
  for (const file of [call(attributes), otlpFile([chat('a', 0, 1, hi, yes, { attributes })])]) {
    const { sessions } = readFiles([file])
    expect(Object.keys(sessions[0]?.calls[0]?.attributes ?? {})).not.toContain('__proto__')
  }
  const named = readFiles([flatFile([chat('__proto__', 0, 1, hi, yes)], { trace_id: '__proto__', constructor: 'x' })])
  expect(named.sessions).toMatchObject([{ id: '__proto__', calls: [{ id: '__proto__' }] }])
  expect({}).not.toHaveProperty('polluted')
})

test('parents in a circle, and a span that is its own parent, end somewhere', () => {
  const reading = readFiles([
    flatFile([
      chat('a', 0, 1, hi, yes, { parent: 'b' }),
      { id: 'b', start: 0, end: 9, parent: 'c' },
      { id: 'c', start: 0, end: 9, parent: 'b' },
      chat('d', 2, 3, [user('ho')], yes, { parent: 'd' }),
    ]),
  ])
  expect(reading.sessions[0]?.calls.map(({ spanPath }) => spanPath)).toEqual([['c', 'b'], []])
})

test('a chain of parents as long as the file has a bounded path', () => {
  const chain = Array.from({ length: 5_000 }, (_, index) => ({ id: `s${index}`, start: 0, end: 9, parent: `s${index + 1}` }))
  const calls = Array.from({ length: 50 }, (_, index) =>
    chat(`c${index}`, index, index, [user(`${index}`)], yes, { parent: 's0' }),
  )
  const { sessions } = readFiles([flatFile([...chain, ...calls])])
  expect(sessions[0]?.calls).toHaveLength(50)
  expect(sessions[0]?.calls[0]?.spanPath.length).toBeLessThan(1_000)
})

test.each<[string, number, number, number]>([
  ['an end before the start', 50, 20, 0],
  ['no end', 50, Number.NaN, 0],
  ['equal times', 50, 50, 0],
])('%s leaves a call of no length', (_, start, end, length) => {
  const span = chat('a', start, Number.isNaN(end) ? start : end, hi, yes)
  const { end: _end, ...endless } = span
  const reading = readFiles([flatFile([chat('z', 0, 1, [user('z')], yes), Number.isNaN(end) ? endless : span])])
  const [, late] = reading.sessions[0]?.calls ?? []
  expect([late?.startMs, (late?.endMs ?? 0) - (late?.startMs ?? 0)]).toEqual([50, length])
  expect(reading.warnings.map(({ code }) => code)).toEqual(end === start ? [] : ['invalid-end-time'])
})

test('many spans with one id, one time or one content are all read', () => {
  const many = (make: (index: number) => SpanSketch) => flatFile(Array.from({ length: MANY }, (_, index) => make(index)))
  const distinct = (index: number) => [user(`${index}`)]
  expect(callIds(readFiles([many((index) => chat('same', index, index + 1, distinct(index), yes))]))[0]).toHaveLength(MANY)
  expect(callIds(readFiles([many((index) => chat(`c${index}`, 0, 1, distinct(index), yes))]))[0]).toHaveLength(MANY)
  expect(callIds(readFiles([many((index) => chat(`c${index}`, index, index + 5_000, hi, yes))]))[0]).toHaveLength(MANY)
  const traces = otlpFile(
    Array.from({ length: MANY }, (_, index) => chat(`c${index}`, index, index + 5_000, hi, yes, { trace: `t${index}` })),
  )
  expect(readFiles([traces]).sessions).toHaveLength(MANY)
})

test('a flood of different findings is a bounded number of warnings', () => {
  const parts = Array.from({ length: 5_000 }, (_, index) => ({ type: `made-up-${index}`, content: 'x' }))
  const { warnings } = readFiles([flatFile([chat('a', 0, 1, [{ role: 'user', parts }], yes)])])
  expect(warnings.length).toBeLessThan(200)
  expect(warnings.reduce((sum, { count = 1 }) => sum + count, 0)).toBe(5_000)
})
