import { expect, test } from 'vitest'
import { callIds, type EventSketch, otlpFile, readFiles, type SpanSketch } from '../trace.fixture.ts'
import { SECOND_TURN, told } from './told-calls.fixture.ts'

const event = (role: string, blocks: unknown): EventSketch => ({
  name: `gen_ai.${role}.message`,
  attributes: { content: JSON.stringify(blocks) },
})
const toolUse = (toolUseId: string, lake: string) => ({ toolUse: { toolUseId, name: 'depth', input: { lake } } })
const toolResult = (toolUseId: string, text: string) => ({ toolResult: { toolUseId, status: 'success', content: [{ text }] } })

const SYSTEM = event('system', [{ text: 'You know lakes.' }])
const TURNS = [
  event('user', [{ text: 'How deep are Thun and Brienz?' }]),
  event('assistant', [toolUse('c1', 'Thun'), toolUse('c2', 'Brienz')]),
  event('tool', [toolResult('c1', '217 m'), toolResult('c2', '260 m')]),
]
const CHOICE: EventSketch = {
  name: 'gen_ai.choice',
  attributes: { finish_reason: 'end_turn', message: JSON.stringify([{ text: 'Brienz is deeper.' }]) },
}

const chat = (events: readonly EventSketch[], attributes: Record<string, unknown> = {}): SpanSketch => ({
  id: 'chat',
  parent: 'cycle',
  name: 'chat',
  scope: 'strands-agents',
  start: 10,
  end: 60,
  events,
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.system': 'strands-agents',
    'gen_ai.request.model': 'deep-1',
    'gen_ai.usage.prompt_tokens': 90,
    'gen_ai.usage.input_tokens': 90,
    'gen_ai.usage.output_tokens': 5,
    'gen_ai.server.time_to_first_token': 21,
    ...attributes,
  },
})
const AROUND: SpanSketch[] = [
  { id: 'cycle', parent: 'agent', start: 5, end: 70, events: TURNS, attributes: { 'event_loop.cycle_id': '1' } },
  {
    id: 'agent',
    start: 0,
    end: 80,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.system': 'strands-agents',
      'gen_ai.request.model': 'deep-1',
      'gen_ai.agent.tools': '["depth"]',
      system_prompt: '"You know lakes."',
    },
  },
]

const EXPECTED = {
  model: 'deep-1',
  messages: SECOND_TURN,
  output: 'assistant: Brienz is deeper.',
  params: {},
  usage: { inputTokens: 90, outputTokens: 5 },
}

test('one event per message; agents and cycles repeat them and are no calls', () => {
  const reading = readFiles([otlpFile([...AROUND, chat([SYSTEM, ...TURNS, CHOICE])])])
  expect(callIds(reading)).toEqual([['chat']])
  expect(told(reading)).toEqual([{ ...EXPECTED, tools: ['depth()'] }])
  expect(reading.sessions[0]?.calls[0]?.ttftMs).toBe(21)
  expect(reading.warnings).toEqual([])
})

test('the system prompt may stand on the agent only', () => {
  expect(told(readFiles([otlpFile([...AROUND, chat([...TURNS, CHOICE])])]))[0]?.messages).toEqual(SECOND_TURN)
})

test('the latest conventions come as several events with one attribute each', () => {
  const details = (attributes: Record<string, unknown>): EventSketch => ({
    name: 'gen_ai.client.inference.operation.details',
    attributes: Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, JSON.stringify(value)])),
  })
  const part = (id: string, lake: string) => ({ type: 'tool_call', id, name: 'depth', arguments: { lake } })
  const response = (id: string, text: string) => ({ type: 'tool_call_response', id, response: [{ text }] })
  const span = chat([
    details({ 'gen_ai.system_instructions': [{ type: 'text', content: 'You know lakes.' }] }),
    details({
      'gen_ai.input.messages': [
        { role: 'user', parts: [{ type: 'text', content: 'How deep are Thun and Brienz?' }] },
        { role: 'assistant', parts: [part('c1', 'Thun'), part('c2', 'Brienz')] },
        { role: 'tool', parts: [response('c1', '217 m'), response('c2', '260 m')] },
      ],
    }),
    details({ 'gen_ai.output.messages': [{ role: 'assistant', parts: [{ type: 'text', content: 'Brienz is deeper.' }] }] }),
  ])
  expect(told(readFiles([otlpFile([span])]))).toEqual([{ ...EXPECTED, tools: [] }])
})

test('an answer with tool calls named by their type', () => {
  const message = JSON.stringify([{ type: 'toolUse', toolUseId: 'c1', name: 'depth', input: { lake: 'Thun' } }])
  const span = chat([...TURNS.slice(0, 1), { name: 'gen_ai.choice', attributes: { message } }])
  expect(told(readFiles([otlpFile([span])]))[0]?.output).toBe('assistant: c1=depth({"lake":"Thun"})')
})
