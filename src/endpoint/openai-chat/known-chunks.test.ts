import { expect, test } from 'vitest'
import { type ChunkMemory, memoryOf } from '../memory-of-chunks.ts'
import { ServerSentEventParser } from '../server-sent-events.ts'
import { ChatReader } from './chat-reader.ts'
import { KnownChunks } from './known-chunks.ts'

const chunk = (delta: object, rest: object = {}, choice: object = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: null, ...choice }],
  ...rest,
})
const argumentsChunk = (text: string, index = 0) => chunk({ tool_calls: [{ index, function: { arguments: text } }] })

function learned(...chunks: readonly unknown[]): KnownChunks {
  const known = new KnownChunks()
  for (const each of chunks) {
    const written = typeof each === 'string' ? each : JSON.stringify(each)
    known.learn(written, JSON.parse(written))
  }
  return known
}

function find(known: KnownChunks, chunk: Buffer, start: number, limit: number): number {
  const next = known.find(memoryOf(chunk), chunk.byteOffset + start, chunk.byteOffset + limit)
  return next === -1 ? -1 : next - chunk.byteOffset
}

/** What is made of a chunk that stands in the middle of other bytes; `undefined` when it is not known. */
function recognised(known: KnownChunks, data: string): unknown {
  const chunk = Buffer.from(`xxdata: ${data}\n\nyy`)
  const next = find(known, chunk, 2, chunk.length - 2)
  if (next === -1) return undefined
  expect(chunk.toString('utf8', next)).toBe('yy')
  const { meaning, textStart, textEnd, text } = known.found ?? {}
  const { model, place, ...rest } = meaning ?? {}
  const stretch = memoryOf(chunk).bytes.toString('latin1', textStart, textEnd)
  return { ...rest, ...place, ...(place !== undefined && { text: textStart === -1 ? text : stretch }) }
}

const texts = [
  'b',
  '',
  ' ',
  'é𝄞',
  '"quoted"',
  '\\',
  '\\"',
  '\n\t\u0000',
  '\u2028',
  '{"content":"x"}',
  '"}}]',
  '\ud800',
  '"id"',
  'a'.repeat(1_000),
]

test.each(texts)('a chunk with another text is known, and gives exactly that text: %#', (text) => {
  for (const field of ['content', 'reasoning', 'reasoning_content']) {
    const known = learned(chunk({ [field]: 'a' }))
    expect(recognised(known, JSON.stringify(chunk({ [field]: text })))).toEqual({ field, text })
  }
  expect(recognised(learned(argumentsChunk('{"')), JSON.stringify(argumentsChunk(text)))).toEqual({
    field: 'arguments',
    index: 0,
    text,
  })
})

test('the id and the time of another response make no difference', () => {
  const known = learned(
    chunk({ content: 'a' }),
    chunk({}, {}, { finish_reason: 'stop' }),
    chunk({ role: 'assistant', content: '' }),
  )
  const other = { id: 'another-and-longer', created: 1_812_345_678 }
  expect(recognised(known, JSON.stringify(chunk({ content: 'b' }, other)))).toEqual({ field: 'content', text: 'b' })
  expect(recognised(known, JSON.stringify(chunk({}, other, { finish_reason: 'stop' })))).toEqual({ finishReason: 'stop' })
  expect(recognised(known, JSON.stringify(chunk({ role: 'assistant', content: '' }, other)))).toEqual({})
})

test('roles, nulls, and blanks after colons make no difference', () => {
  const full = { role: 'assistant', content: 'a', tool_calls: null, refusal: null }
  expect(
    recognised(learned(chunk(full, { usage: null })), JSON.stringify(chunk({ ...full, content: 'b' }, { usage: null }))),
  ).toEqual({ field: 'content', text: 'b' })
  const spaced = '{"id": "1", "created": 5, "choices": [{"index": 0, "delta": {"content": "a"}}]}'
  expect(recognised(learned(spaced), spaced.replace('"a"', '"b"').replace('5', '60'))).toEqual({ field: 'content', text: 'b' })
})

test('an empty finish reason is none, with or without a text', () => {
  const empty = { finish_reason: '' }
  expect(recognised(learned(chunk({ content: 'a' }, {}, empty)), JSON.stringify(chunk({ content: 'b' }, {}, empty)))).toEqual({
    field: 'content',
    text: 'b',
  })
  expect(recognised(learned(chunk({}, {}, empty)), JSON.stringify(chunk({}, {}, empty)))).toEqual({})
})

const usageChunk = (usage: unknown) => JSON.stringify(chunk({}, { choices: [], usage }))

test('usage with the same fields is known, and gives exactly its counts', () => {
  const usage = (prompt: number, cached: number, completion: number) => ({
    note: 'of 7',
    prompt_tokens: prompt,
    prompt_tokens_details: { audio: null, cached_tokens: cached },
    completion_tokens: completion,
    total_tokens: prompt + completion,
  })
  const known = learned(usageChunk(usage(1, 2, 3)))
  for (const [inputTokens, cachedInputTokens, outputTokens] of [
    [12, 0, 5],
    [0, 0, 0],
    [999_999_999_999_999, 10, 200_000],
    [Number('160450932972009800000'), 0, 1],
  ] as const) {
    expect(recognised(known, usageChunk(usage(inputTokens, cachedInputTokens, outputTokens)))).toEqual({ hasUsage: true })
    expect(known.found?.usage).toEqual({ inputTokens, cachedInputTokens, outputTokens })
  }
  expect(recognised(learned(usageChunk({ note: 1 })), usageChunk({ note: 1 }))).toBeUndefined()
})

test.each([
  ['a field more', usageChunk({ prompt_tokens: 1, completion_tokens: 2 })],
  ['a field less', usageChunk({})],
  ['a fraction', usageChunk({ prompt_tokens: 1.5 })],
  ['a negative number', usageChunk({ prompt_tokens: -1 })],
  ['an exponent', usageChunk({ prompt_tokens: 1 }).replace(':1}', ':1e3}')],
  ['a leading zero', usageChunk({ prompt_tokens: 1 }).replace(':1}', ':01}')],
  ['more digits than a number holds', usageChunk({ prompt_tokens: 1 }).replace(':1}', `:${'9'.repeat(400)}}`)],
  ['null', usageChunk({ prompt_tokens: null })],
  ['text', usageChunk({ prompt_tokens: '1' })],
  ['no value', usageChunk({ prompt_tokens: 1 }).replace(':1}', ':}')],
  ['an error behind it', usageChunk({ prompt_tokens: 1 }).replace('}}', '},"error":{"message":"boom"}}')],
])('usage that differs in more is left to the parser: %s', (_name, data) => {
  const known = learned(usageChunk({ prompt_tokens: 7 }))
  expect(recognised(known, data)).toBeUndefined()
})

test.each([{ prompt_tokens: 1.5 }, { prompt_tokens: 3, cost: 0.25 }, { prompt_tokens: 1, prompt: -1 }])(
  'usage with other numbers than counts teaches nothing: %o',
  (usage) => {
    expect(recognised(learned(usageChunk(usage)), usageChunk(usage))).toBeUndefined()
  },
)

const b = JSON.stringify(chunk({ content: 'b' }))
test.each([
  ['another model', JSON.stringify(chunk({ content: 'b' }, { model: 'n' }))],
  ['a finish reason', b.replace('"finish_reason":null', '"finish_reason":"stop"')],
  ['a further field', JSON.stringify(chunk({ content: 'b', reasoning: 'c' }))],
  ['two texts', b.replace('"b"', '"b","content":"c"')],
  ['a text that is not closed', b.replace('"b"', '"b\\"')],
  ['an escape that is none', b.replace('"b"', '"\\x"')],
  ['a bare control character', b.replace('"b"', '"\n"')],
  ['an escape in the id', b.replace('chatcmpl-1', '\\"')],
  ['a time that is no number', b.replace('1700000000', '')],
  ['a time with a leading zero', b.replace('1700000000', '017')],
  ['a time with a fraction', b.replace('1700000000', '1.5')],
  ['a time with a sign', b.replace('1700000000', '-1')],
  ['a chunk cut short', b.slice(0, -1)],
  ['blanks in other places', b.replace(',', ', ')],
])('what differs in more is left to the parser: %s', (_name, data) => {
  expect(recognised(learned(chunk({ content: 'a' })), data)).toBeUndefined()
})

test.each<[name: string, chunk: unknown]>([
  ['usage beside a text', chunk({ content: 'a' }, { usage: { prompt_tokens: 1 } })],
  ['usage that is no object', chunk({}, { choices: [], usage: 7 })],
  ['usage in another place too', chunk({}, { choices: [], usage: { prompt_tokens: 1 }, extra: { usage: {} } })],
  ['an error', chunk({ content: 'a' }, { error: 'x' })],
  ['text with the finish reason', chunk({ content: 'a' }, {}, { finish_reason: 'stop' })],
  ['two choices', chunk({ content: 'a' }, { choices: [{ delta: { content: 'a' } }, { index: 1, delta: {} }] })],
  ['another choice', chunk({ content: 'a' }, {}, { index: 1 })],
  ['two texts', chunk({ content: 'a', reasoning: 'b' })],
  ['the beginning of a tool call', chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '{' } }] })],
  [
    'arguments of two calls',
    chunk({
      tool_calls: [
        { index: 0, function: { arguments: 'a' } },
        { index: 1, function: { arguments: 'b' } },
      ],
    }),
  ],
  ['arguments without an index', chunk({ tool_calls: [{ function: { arguments: 'a' } }] })],
  ['a text that is none', chunk({ content: ['a'] })],
  ['a field of unknown use', chunk({ content: 'a', audio: {} })],
  ['its key in another place too', chunk({ content: 'a' }, { extra: { content: 'b' } })],
  ['escapes outside the text', chunk({ content: 'a' }, { model: 'a\\b' })],
  ['several data lines', JSON.stringify(chunk({ content: 'a' }), null, 1)],
  ['its key spelled with escapes', '{"choices":[{"delta":{"c\\u006fntent":"real"}}],"x":{"content":"decoy"}}'],
])('a chunk that does more than to add to one text teaches nothing: %s', (_name, first) => {
  expect(recognised(learned(first), typeof first === 'string' ? first : JSON.stringify(first))).toBeUndefined()
})

test('chunks that all differ are given up, and few patterns are kept', () => {
  const known = new KnownChunks()
  for (let index = 0; index < 1_000; index++) {
    const data = JSON.stringify(chunk({ content: 'a' }, { obfuscation: `x${index}` }))
    expect(find(known, Buffer.from(`data: ${data}\n\n`), 0, data.length + 8)).toBe(-1)
    known.learn(data, JSON.parse(data))
  }
  const last = JSON.stringify(chunk({ content: 'a' }, { obfuscation: 'x999' }))
  expect(find(known, Buffer.from(`data: ${last}\n\n`), 0, last.length + 8)).toBe(-1)
})

/** Numbers that look random and are the same in every run. */
function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test('whatever streams come, in whatever pieces, recognising chunks changes nothing but the work', () => {
  const random = seeded(7)
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item
  const shared = new KnownChunks()
  let recognised = 0
  for (let stream = 0; stream < 300; stream++) {
    const rest = { id: `id-${random(1e6)}`, created: random(1e9), model: pick(['m', 'n']) }
    const events = [chunk({ role: 'assistant', content: '' }, rest)]
    for (let count = random(12); count > 0; count--) {
      const text = pick(texts.slice(0, -1))
      events.push(
        pick([
          () => chunk({ content: text }, rest),
          () => chunk({ content: text }, rest),
          () => chunk({ reasoning_content: text }, rest),
          () => chunk({ tool_calls: [{ index: 0, id: `c${count}`, function: { name: 'f', arguments: '' } }] }, rest),
          () => ({ ...argumentsChunk(text), ...rest, choices: argumentsChunk(text).choices }),
          () => chunk({ content: text }, rest, { finish_reason: pick(['stop', '']) }),
          () => chunk({}, rest, { finish_reason: pick(['tool_calls', '']) }),
        ])(),
      )
    }
    events.push(chunk({}, rest, { finish_reason: 'stop' }))
    if (random(2) === 0) events.push(chunk({}, { ...rest, choices: [], usage: { prompt_tokens: random(1e4) } }))
    const framing = pick([
      ['data: ', '\n\n'],
      ['data:', '\n\n'],
      ['data: ', '\r\n\r\n'],
      [': c\ndata: ', '\r\r'],
    ] as const)
    const bytes = Buffer.from(`${events.map((each) => framing[0] + JSON.stringify(each) + framing[1]).join('')}data: [DONE]\n\n`)
    const pieces: Buffer[] = []
    for (let from = 0; from < bytes.length; ) {
      const to = random(3) === 0 ? from + 1 + random(300) : from + 1 + random(3_000)
      pieces.push(bytes.subarray(from, to))
      from = to
    }

    const read = (known: KnownChunks, withShortcut: boolean) => {
      let invented = 0
      const reader = new ChatReader(() => `i${++invented}`, known)
      const shortcut = {
        takeKnown: (memory: ChunkMemory, start: number, limit: number) => {
          const next = reader.takeKnown(memory, start, limit)
          if (next !== -1) recognised++
          return next
        },
      }
      const parser = new ServerSentEventParser((data, name) => reader.readEvent(data, name), withShortcut ? shortcut : undefined)
      const outputs = pieces.map((piece) => {
        parser.push([piece])
        return reader.outputs
      })
      parser.end()
      return { outcome: reader.finish(), outputs, usage: reader.usage, model: reader.servedModel, done: reader.done }
    }
    expect(read(shared, true)).toEqual(read(new KnownChunks(), false))
  }
  expect(recognised).toBeGreaterThan(500)
})
