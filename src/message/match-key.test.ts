import { expect, test } from 'vitest'
import { matchKey } from './match-key.ts'
import type { Message, Part, Role } from './message.ts'

const message = (role: Role, ...parts: Part[]): Message => ({ role, parts })
const text = (value: string): Part => ({ type: 'text', text: value })
const call = (name: string, args: string, id = ''): Part => ({ type: 'tool_call', id, name, arguments: args })
const result = (content: string, id = ''): Part => ({ type: 'tool_result', id, content })
const keyOf = (...parts: Part[]) => matchKey(message('assistant', ...parts))

test.each<[string, Part[], Part[]]>([
  ['outer white space', [text('  Done.\n')], [text('Done.')]],
  ['text cut into parts', [text('Let me '), text('look.')], [text('Let me look.')]],
  ['text before or after a tool call', [text('Looking'), call('ls', '{}')], [call('ls', '{}'), text('Looking')]],
  ['the order of parallel tool calls', [call('ls', '{"a":1}'), call('cat', '{}')], [call('cat', '{}'), call('ls', '{"a":1}')]],
  ['JSON formatting', [call('ls', '{"b": [1, {"d":2,"c":3}], "a": null}')], [call('ls', '{"a":null,"b":[1,{"c":3,"d":2}]}')]],
  ['number formatting', [call('ls', '{"a":1.0}')], [call('ls', '{"a":1}')]],
  ['arguments written as a JSON string', [call('ls', '"{\\"a\\": 1}"')], [call('ls', '{"a":1}')]],
  ['no arguments', [call('ls', '')], [call('ls', '{}')]],
  ['null arguments', [call('ls', 'null')], [call('ls', ' {} ')]],
  ['tool-call ids', [call('ls', '{}', 'call_1')], [call('ls', '{}', 'call_2')]],
  ['reasoning', [{ type: 'reasoning', text: 'hm' }, text('Done.')], [text('Done.')]],
])('%s makes no difference', (_, a, b) => {
  expect(keyOf(...a)).toBe(keyOf(...b))
  expect(keyOf(...a)).toBeDefined()
})

test.each<[string, Part[], Part[]]>([
  ['text', [text('Done.')], [text('Done')]],
  ['inner white space', [text('a b')], [text('a  b')]],
  ['tool name', [call('ls', '{}')], [call('cat', '{}')]],
  ['arguments', [call('ls', '{"a":1}')], [call('ls', '{"a":2}')]],
  ['the type of an argument', [call('ls', '{"a":1}')], [call('ls', '{"a":"1"}')]],
  ['arguments that are not JSON', [call('ls', '{"a":')], [call('ls', '{"a"')]],
  ['an open quote', [call('ls', '"a')], [call('ls', '"b')]],
  ['how often a tool is called', [call('ls', '{}')], [call('ls', '{}'), call('ls', '{}')]],
  ['a text that spells a tool call', [call('ls', '{}')], [text('call 2:lsarguments 2:{}')]],
  ['a key named __proto__', [call('ls', '{"__proto__":1}')], [call('ls', '{}')]],
  ['what is attached', [media('aaaa')], [media('bbbb')]],
])('%s makes a difference', (_, a, b) => {
  expect(keyOf(...a)).not.toBe(keyOf(...b))
})

function media(data: string): Part {
  return { type: 'media', modality: 'image', mime: 'image/png', source: { data } }
}

test.each<[string, Part[]]>([
  ['no part', []],
  ['white space', [text(' \n')]],
  ['reasoning alone', [{ type: 'reasoning', text: 'hm' }]],
])('a message of %s has no key', (_, parts) => {
  expect(keyOf(...parts)).toBeUndefined()
})

test('roles are told apart, results are compared without their ids', () => {
  expect(matchKey(message('user', text('hi')))).not.toBe(matchKey(message('assistant', text('hi'))))
  expect(matchKey(message('tool', result('42', 'a')))).toBe(matchKey(message('tool', result('42', 'b'))))
  expect(matchKey(message('tool', result('')))).toBeDefined()
})

test('keys are short and of one size, whatever the message', () => {
  const nested = call('deep', '['.repeat(200_000) + ']'.repeat(200_000))
  expect([keyOf(text('x'))?.length, keyOf(text('x'.repeat(100_000)))?.length, keyOf(nested)?.length]).toEqual([22, 22, 22])
})
