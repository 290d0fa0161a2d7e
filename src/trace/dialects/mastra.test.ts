import { expect, test } from 'vitest'
import { callIds, otlpFile, readFiles, type SpanSketch } from '../trace.fixture.ts'
import { DEPTH_TOOL, SECOND_INPUT, SECOND_TURN, told } from './told-calls.fixture.ts'

const toolCall = (toolCallId: string, lake: string) => ({ toolCallId, toolName: 'depth', args: { lake } })

const span = (id: string, type: string, start: number, attributes: Record<string, unknown>, parent = 'loop'): SpanSketch => ({
  id,
  parent,
  name: id,
  start,
  end: start + 30,
  attributes: { 'mastra.span.type': type, ...attributes },
})

const body = (messages: unknown[]) => ({ model: 'deep-1', temperature: 0, messages, tools: [DEPTH_TOOL] })
const step = (id: string, start: number, messages: unknown[], output: object) =>
  span(id, 'model_step', start, {
    'gen_ai.operation.name': 'model.step',
    input: JSON.stringify({ body: body(messages) }),
    output: JSON.stringify(output),
    body: '{"usage":{"prompt_tokens":40,"completion_tokens":9}}',
    id: `response-${id}`,
  })

const FIRST_OUTPUT = { text: '', toolCalls: [toolCall('c1', 'Thun'), toolCall('c2', 'Brienz')] }
const first = step('first', 0, SECOND_INPUT.slice(0, 2), FIRST_OUTPUT)
const second = step('second', 40, SECOND_INPUT, { text: 'Brienz is deeper.' })
const loop: SpanSketch = {
  ...span('loop', 'model_generation', 0, {
    'gen_ai.operation.name': 'chat',
    'gen_ai.prompt': JSON.stringify({ messages: SECOND_INPUT.slice(0, 2) }),
    'gen_ai.completion': '{"text":"Brienz is deeper."}',
  }),
  parent: '',
  end: 80,
}
const tool = span('tool', 'tool_call', 12, { 'gen_ai.operation.name': 'tool.execute' }, 'first')
const chunk = span('chunk', 'model_chunk', 5, { output: '{"text":"I look."}' }, 'first')

test('a step is a call with the body that was sent; the loop around it is none', () => {
  const reading = readFiles([otlpFile([loop, chunk, tool, first, second])])
  expect(callIds(reading)).toEqual([['first', 'second']])
  expect(told(reading)).toEqual([
    {
      model: 'deep-1',
      messages: SECOND_TURN.slice(0, 2),
      output: 'assistant: c1=depth({"lake":"Thun"}) | c2=depth({"lake":"Brienz"})',
      tools: ['depth(lake)'],
      params: { temperature: 0 },
      usage: { inputTokens: 40, outputTokens: 9 },
    },
    {
      model: 'deep-1',
      messages: SECOND_TURN,
      output: 'assistant: Brienz is deeper.',
      tools: ['depth(lake)'],
      params: { temperature: 0 },
      usage: { inputTokens: 40, outputTokens: 9 },
    },
  ])
  expect(reading.warnings.map(({ code }) => code)).toEqual(['loop-of-calls'])
})

test('a step ends when its tools begin', () => {
  expect(readFiles([otlpFile([first, tool])]).sessions[0]?.calls[0]?.endMs).toBe(12)
})

test('a generation without steps is the call', () => {
  expect(callIds(readFiles([otlpFile([loop])]))).toEqual([['loop']])
})

test('the newer names of input and output', () => {
  const { input, output, ...others } = first.attributes ?? {}
  const attributes = { ...others, 'mastra.model_step.input': input, 'mastra.model_step.output': output }
  expect(told(readFiles([otlpFile([{ ...first, attributes }])]))).toEqual(told(readFiles([otlpFile([first])])))
})

test('tool calls that were nested too deeply in a history come from the outputs before it', () => {
  const cut = SECOND_INPUT.map((message) =>
    message.tool_calls === undefined
      ? message
      : { ...message, tool_calls: message.tool_calls.map(({ id }) => ({ id, type: 'function', function: '[MaxDepth]' })) },
  )
  const reading = readFiles([otlpFile([first, step('second', 40, cut, { text: 'Deep.' })])])
  expect(told(reading)[1]?.messages).toEqual(SECOND_TURN)
  expect(reading.warnings).toEqual([
    expect.objectContaining({ code: 'cut-values', message: expect.stringContaining('maxDepth') }),
  ])
})

test.each([
  ['a text that Mastra cut short', 'deep…[truncated]', ['cut-values']],
  ['a text that says it was truncated elsewhere', 'log [truncated] by the tool', []],
])('%s', (_, content, codes) => {
  const call = step('a', 0, [{ role: 'user', content }], { text: 'Deep.' })
  expect(readFiles([otlpFile([call])]).warnings.map(({ code }) => code)).toEqual(codes)
})

test('schemas that were nested too deeply allow anything', () => {
  const parameters = { type: 'object', properties: { lake: '[MaxDepth]' }, required: ['[MaxDepth]'] }
  const input = { body: { ...body(SECOND_INPUT), tools: [{ type: 'function', function: { name: 'depth', parameters } }] } }
  const call = span('a', 'model_step', 0, { input: JSON.stringify(input) })
  expect(readFiles([otlpFile([call])]).sessions[0]?.calls[0]?.tools[0]?.parameters).toEqual({
    type: 'object',
    properties: { lake: {} },
    required: [],
  })
})

test('turns that were joined in a history are taken apart into the outputs they were', () => {
  const call = (id: string, lake: string) => ({
    id,
    type: 'function',
    function: { name: 'depth', arguments: `{"lake":"${lake}"}` },
  })
  const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: `depth of ${id}` })
  const question = { role: 'user', content: 'How deep?' }
  const one = step('one', 0, [question], { text: 'I look.', toolCalls: [toolCall('c1', 'Thun')] })
  const two = step(
    'two',
    40,
    [question, { role: 'assistant', content: 'I look.', tool_calls: [call('c1', 'Thun')] }, result('c1')],
    {
      text: '',
      toolCalls: [toolCall('c2', 'Brienz')],
    },
  )
  const joined = { role: 'assistant', content: 'I look.', tool_calls: [call('c1', 'Thun'), call('c2', 'Brienz')] }
  const three = step('three', 80, [question, joined, result('c1'), result('c2')], { text: 'Brienz.' })
  expect(told(readFiles([otlpFile([one, two, three])]))[2]?.messages).toEqual([
    'user: How deep?',
    'assistant: I look. | c1=depth({"lake":"Thun"})',
    'tool: c1→depth of c1',
    'assistant: c2=depth({"lake":"Brienz"})',
    'tool: c2→depth of c2',
  ])
})
