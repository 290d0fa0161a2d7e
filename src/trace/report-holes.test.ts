import { expect, test } from 'vitest'
import { assistant, chat, otlpFile, readFiles, user } from './trace.fixture.ts'

const toolCall = (id: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, function: { name: 'ls', arguments: '{}' } }],
})
const toolResult = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'a b' })
const TOOLS = { attributes: { 'gen_ai.tool.definitions': '[{"type":"function","function":{"name":"ls"}}]' } }

const codes = (input: unknown[], output: unknown, more = {}) =>
  readFiles([
    otlpFile([chat('a', 0, 1, input, output, more), chat('b', 2, 3, [user('other')], [assistant('yes')])]),
  ]).warnings.map(({ code, message }) => `${code} ${message.slice(0, 8)}`)

test('a complete call has none', () => {
  expect(codes([user('hi'), toolCall('c1'), toolResult('c1')], [toolCall('c2')], TOOLS)).toEqual([])
})

test.each([
  ['call-without-input', [], [assistant('yes')], {}],
  ['output-not-recorded', [user('hi')], null, {}],
  ['texts-not-recorded', [{ role: 'system', content: 'Be brief.' }, user('')], [assistant('yes')], {}],
  ['history-not-recorded', [toolCall('c1'), toolResult('c1')], [assistant('yes')], {}],
  ['history-not-recorded', [{ role: 'system', content: 'Be brief.' }, toolResult('c1')], [assistant('yes')], {}],
  ['tools-not-recorded', [user('hi')], [toolCall('c1')], {}],
  ['tool-calls-without-id', [user('hi'), toolCall('c1'), toolResult('')], [assistant('yes')], {}],
  ['tool-calls-without-id', [user('hi')], [toolCall('')], TOOLS],
])('%s: the span is named', (code, input, output, more) => {
  expect(codes(input, output, more)).toEqual([`${code} span a "`])
})

test('a failed call has no output to record', () => {
  expect(codes([user('hi')], null, { error: 'overloaded' })).toEqual([])
})

test('a conversation may begin with a greeting', () => {
  expect(codes([assistant('Hello!'), user('hi')], [assistant('yes')])).toEqual([])
})

test('many holes of one kind are counted', () => {
  const spans = Array.from({ length: 5 }, (_, k) => chat(`s${k}`, k * 2, k * 2 + 1, [user(`q${k}`)], null))
  expect(readFiles([otlpFile(spans)]).warnings).toEqual([expect.objectContaining({ code: 'output-not-recorded', count: 5 })])
})
