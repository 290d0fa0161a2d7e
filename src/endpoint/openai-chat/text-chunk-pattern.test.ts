import { expect, test } from 'vitest'
import { TextChunkPattern } from './text-chunk-pattern.ts'

const chunk = (delta: object, rest: object = {}) => ({ id: 'x', choices: [{ index: 0, delta, finish_reason: null }], ...rest })

function learned(first: unknown, written: string = JSON.stringify(first)): TextChunkPattern {
  const pattern = new TextChunkPattern()
  pattern.learn(written, first as Record<string, unknown>)
  return pattern
}

test.each(['b', '', ' ', 'é𝄞', '"quoted"', '\\', '\\"', '\n\t\u0000', '\u2028', '{"content":"x"}', '"}}]', '\ud800'])(
  'a chunk with another text matches and gives exactly that text: %j',
  (text) => {
    for (const field of ['content', 'reasoning', 'reasoning_content']) {
      const pattern = learned(chunk({ [field]: 'a' }))
      expect(pattern.match(JSON.stringify(chunk({ [field]: text })))).toEqual({ field, text })
    }
  },
)

test('a role, nulls, and blanks after colons make no difference', () => {
  const first = chunk({ role: 'assistant', content: 'a', tool_calls: null }, { usage: null })
  expect(
    learned(first).match(JSON.stringify(chunk({ role: 'assistant', content: 'b', tool_calls: null }, { usage: null })))?.text,
  ).toBe('b')
  const spaced = '{"choices": [{"index": 0, "delta": {"content": "a"}}]}'
  expect(learned(JSON.parse(spaced), spaced).match(spaced.replace('"a"', '"b"'))?.text).toBe('b')
})

test.each([
  ['another id', JSON.stringify(chunk({ content: 'b' }, { id: 'y' }))],
  ['a finish reason', JSON.stringify(chunk({ content: 'b' })).replace('"finish_reason":null', '"finish_reason":"stop"')],
  ['a further field', JSON.stringify(chunk({ content: 'b', reasoning: 'c' }))],
  ['two texts', JSON.stringify(chunk({ content: 'b' })).replace('"b"', '"b","content":"c"')],
  ['no JSON', JSON.stringify(chunk({ content: 'b' })).replace('"b"', '"b\\"')],
  ['a bare control character', JSON.stringify(chunk({ content: 'b' })).replace('"b"', '"\n"')],
  ['a cut chunk', JSON.stringify(chunk({ content: 'b' })).slice(0, -1)],
  ['surroundings that overlap', JSON.stringify(chunk({ content: '' })).replace('""', '"')],
])('what differs in more than its text is left to the parser: %s', (_name, data) => {
  expect(learned(chunk({ content: 'a' })).match(data)).toBeUndefined()
})

test.each<[name: string, first: object]>([
  ['usage', chunk({ content: 'a' }, { usage: { prompt_tokens: 1 } })],
  ['an error', chunk({ content: 'a' }, { error: 'x' })],
  ['a finish reason', { choices: [{ delta: { content: 'a' }, finish_reason: 'stop' }] }],
  ['two choices', { choices: [{ delta: { content: 'a' } }, { index: 1, delta: {} }] }],
  ['another choice', { choices: [{ index: 1, delta: { content: 'a' } }] }],
  ['two texts', chunk({ content: 'a', reasoning: 'b' })],
  ['a tool call', chunk({ content: 'a', tool_calls: [{}] })],
  ['an empty text', chunk({ role: 'assistant', content: '' })],
  ['a text that is none', chunk({ content: ['a'] })],
  ['its key in another place too', chunk({ content: 'a' }, { extra: { content: 'b' } })],
  ['escapes around the text', chunk({ content: 'a' }, { model: 'a\\b' })],
])('a chunk that does more than carry text teaches nothing: %s', (_name, first) => {
  expect(learned(first).match(JSON.stringify(first))).toBeUndefined()
})

test('a key spelled with escapes does not lead astray', () => {
  const written = '{"choices":[{"delta":{"c\\u006fntent":"real"}}],"x":{"content":"decoy"}}'
  expect(learned(JSON.parse(written), written).match(written)).toBeUndefined()
})
