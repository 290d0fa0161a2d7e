import { expect, test } from 'vitest'
import { Interner } from './interner.ts'
import { readMessages } from './read-messages.ts'

function read(value: unknown) {
  const problems: string[] = []
  const messages = readMessages(value, {
    interner: new Interner(),
    report: ({ code, message }) => problems.push(`${code}: ${message}`),
  })
  return { messages, problems }
}

/** Parts in short: `text`, `(reasoning)`, `name#id{…}`, `→id content`, `[image …]`. */
function outline(value: unknown): string[] {
  return read(value).messages.map(({ role, parts }) => {
    const texts = parts.map((part) => {
      if (part.type === 'text') return part.text
      if (part.type === 'reasoning') return `(${part.text})`
      if (part.type === 'tool_call') return `${part.name}#${part.id}${part.arguments}`
      if (part.type === 'tool_result') return `→${part.id} ${part.content}`
      return `[${part.modality} ${part.mime} ${'uri' in part.source ? part.source.uri : part.source.data}]`
    })
    return `${role}: ${texts.join(' | ')}`
  })
}

const assistant = (fields: object) => [{ role: 'assistant', ...fields }]
const user = (...content: object[]) => [{ role: 'user', content }]

test.each<[string, unknown, string[]]>([
  [
    'content as a string',
    user()
      .concat([{ role: 'user', content: 'hi' } as never])
      .slice(1),
    ['user: hi'],
  ],
  ['content as blocks', user({ type: 'text', text: 'a' }, { type: 'input_text', text: 'b' }), ['user: a | b']],
  ['strings among blocks', [{ role: 'user', content: ['a', { type: 'text', text: 'b' }] }], ['user: a | b']],
  ['no content', assistant({ content: null }), ['assistant: ']],
  ['developer as system', [{ role: 'developer', content: 'be good' }], ['system: be good']],
  ['refusals', assistant({ content: null, refusal: 'no' }), ['assistant: no']],
  ['reasoning beside content', assistant({ content: 'a', reasoning_content: 'hm' }), ['assistant: (hm) | a']],
  [
    'nested tool calls',
    assistant({ content: '', tool_calls: [{ id: 'c1', type: 'function', function: { name: 'ls', arguments: '{"a":1}' } }] }),
    ['assistant: ls#c1{"a":1}'],
  ],
  ['flat tool calls', assistant({ tool_calls: [{ id: 'c1', name: 'ls', arguments: '{}' }] }), ['assistant: ls#c1{}']],
  [
    'flat tool calls under args',
    assistant({ tool_calls: [{ id: 'c1', name: 'ls', args: { a: 1 } }] }),
    ['assistant: ls#c1{"a":1}'],
  ],
  [
    'object arguments',
    assistant({ tool_calls: [{ id: 'c1', function: { name: 'ls', arguments: { a: 1 } } }] }),
    ['assistant: ls#c1{"a":1}'],
  ],
  [
    'empty and missing arguments',
    assistant({ tool_calls: [{ id: 'c1', name: 'a', arguments: '' }, { name: 'b' }] }),
    ['assistant: a#c1 | b#'],
  ],
  ['no tool calls', assistant({ content: 'a', tool_calls: null }), ['assistant: a']],
  ['the legacy function call', assistant({ function_call: { name: 'ls', arguments: '{}' } }), ['assistant: ls#{}']],
  ['a tool message', [{ role: 'tool', tool_call_id: 'c1', content: 'ok' }], ['tool: →c1 ok']],
  ['a legacy function message', [{ role: 'function', name: 'ls', content: 'ok' }], ['tool: → ok']],
  [
    'a tool message of blocks',
    [
      {
        role: 'tool',
        tool_call_id: 'c1',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
    ],
    ['tool: →c1 a\nb'],
  ],
  ['a tool message of data', [{ role: 'tool', tool_call_id: 'c1', content: { a: 1 } }], ['tool: →c1 {"a":1}']],
  ['an empty tool message', [{ role: 'tool', tool_call_id: 'c1', content: null }], ['tool: →c1 ']],
  ['content that is data', [{ role: 'user', content: { a: 1 } }], ['user: {"a":1}']],
  [
    'an image by link',
    user({ type: 'image_url', image_url: { url: 'https://e.org/a.png' } }),
    ['user: [image  https://e.org/a.png]'],
  ],
  [
    'an image inline',
    user({ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }),
    ['user: [image image/png AAAA]'],
  ],
  ['audio', user({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }), ['user: [audio audio/wav AAAA]']],
  [
    'a file',
    user({ type: 'file', file: { file_data: 'data:application/pdf;base64,AAAA' } }),
    ['user: [file application/pdf AAAA]'],
  ],
])('reads the OpenAI shape: %s', (_, value, expected) => {
  expect(outline(value)).toEqual(expected)
  expect(read(value).problems).toEqual([])
})

const parts = (role: string, ...list: object[]) => [{ role, parts: list }]

test.each<[string, unknown, string[]]>([
  ['text under content', parts('user', { type: 'text', content: 'a' }), ['user: a']],
  ['text under text', parts('user', { type: 'text', text: 'a' }), ['user: a']],
  ['reasoning under content', parts('assistant', { type: 'reasoning', content: 'hm' }), ['assistant: (hm)']],
  ['reasoning under text', parts('assistant', { type: 'reasoning', text: 'hm' }), ['assistant: (hm)']],
  ['empty texts', parts('assistant', { type: 'text', content: '' }), ['assistant: ']],
  [
    'a call with object arguments',
    parts('assistant', { type: 'tool_call', id: 'c1', name: 'ls', arguments: { a: [1] } }),
    ['assistant: ls#c1{"a":[1]}'],
  ],
  [
    'a call with string arguments',
    parts('assistant', { type: 'tool_call', id: 'c1', name: 'ls', arguments: '{"a": 1}' }),
    ['assistant: ls#c1{"a": 1}'],
  ],
  ['a call without arguments', parts('assistant', { type: 'tool_call', id: null, name: 'ls' }), ['assistant: ls#']],
  [
    'the id results refer to',
    parts('assistant', { type: 'tool_call', id: 'fc_1', call_id: 'c1', name: 'ls' }),
    ['assistant: ls#c1'],
  ],
  ['a response', parts('tool', { type: 'tool_call_response', id: 'c1', response: 'ok' }), ['tool: →c1 ok']],
  ['a result', parts('tool', { type: 'tool_call_response', id: 'c1', result: { a: 1 } }), ['tool: →c1 {"a":1}']],
  [
    'a response of blocks',
    parts('user', {
      type: 'tool_call_response',
      id: 'c1',
      response: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    }),
    ['tool: →c1 a\nb'],
  ],
  ['a tool message of text', parts('tool', { type: 'text', content: 'ok' }), ['tool: → ok']],
  [
    'a blob',
    parts('user', { type: 'blob', modality: 'audio', mime_type: 'audio/wav', content: 'AAAA' }),
    ['user: [audio audio/wav AAAA]'],
  ],
  ['a link', parts('user', { type: 'uri', modality: 'image', uri: 'gs://b/a' }), ['user: [image  gs://b/a]']],
  ['a file', parts('user', { type: 'file', mime_type: 'video/mp4', file_id: 'f1' }), ['user: [video video/mp4 f1]']],
])('reads parts of the GenAI conventions: %s', (_, value, expected) => {
  expect(outline(value)).toEqual(expected)
  expect(read(value).problems).toEqual([])
})

test('one tool message per result, whatever role held them; what stood beside them comes after', () => {
  const result = (id: string) => ({ type: 'tool_call_response', id, response: `r${id}` })
  expect(outline(parts('user', { type: 'text', content: 'and now?' }, result('1'), result('2')))).toEqual([
    'tool: →1 r1',
    'tool: →2 r2',
    'user: and now?',
  ])
  expect(outline(parts('tool', result('1'), result('2'), { type: 'text', content: 'hurry' }))).toEqual([
    'tool: →1 r1',
    'tool: →2 r2',
    'user: hurry',
  ])
})

test('results inside an assistant turn keep their place', () => {
  const call = { type: 'tool_call', id: '1', name: 'ls', arguments: '' }
  const result = { type: 'tool_call_response', id: '1', response: 'r' }
  expect(outline(parts('assistant', call, result, { type: 'text', content: 'done' }))).toEqual([
    'assistant: ls#1',
    'tool: →1 r',
    'assistant: done',
  ])
})

test('texts and blocks without a message around them are one message', () => {
  expect(outline('hi')).toEqual(['user: hi'])
  expect(outline([{ type: 'text', content: 'a' }, 'b', { role: 'user', content: 'c' }])).toEqual(['user: a | b', 'user: c'])
  expect(outline([{}, null, ''])).toEqual([])
})

test('what has no place is reported, and kept as text where it has one', () => {
  expect(read(parts('user', { type: 'hologram', content: 'a' }, { type: 'server_tool_call', name: 'x' }))).toMatchObject({
    messages: [{ parts: [{ type: 'text', text: 'a' }] }],
    problems: [
      "unknown-part: Kept as text a message part of unknown type 'hologram'.",
      "unknown-part: Left out a message part of unknown type 'server_tool_call'.",
    ],
  })
  expect(read([{ role: 'wizard', content: 'a' }, 42])).toMatchObject({
    messages: [{ role: 'user' }],
    problems: [
      expect.stringContaining("unknown role 'wizard'"),
      'unknown-message: Left out a message that is a number, expected an object.',
    ],
  })
})

test('keys chosen by an attacker stay data', () => {
  const [message] = read(
    JSON.parse(
      '[{"role":"assistant","tool_calls":[{"name":"ls","arguments":{"__proto__":{"x":1}}}],"__proto__":{"role":"system"}}]',
    ),
  ).messages
  expect(message).toMatchObject({ role: 'assistant', parts: [{ arguments: '{"__proto__":{"x":1}}' }] })
  expect(read([{ role: '__proto__', content: 'a' }]).messages).toMatchObject([{ role: 'user' }])
  expect({}).not.toHaveProperty('x')
})
