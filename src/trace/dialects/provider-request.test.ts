import { expect, test } from 'vitest'
import { Interner } from '../../message/index.ts'
import { ContentReader } from '../content-reader.ts'
import { isProviderRequest, readProviderRequest } from './provider-request.ts'

function read(body: object) {
  const notes: string[] = []
  const content = new ContentReader(new Interner(), new Map(), (code) => notes.push(code))
  const { model, messages, tools, params } = readProviderRequest(body as Record<string, unknown>, content, 'body')
  const texts = messages.map(
    ({ role, parts }) => `${role}: ${parts.map((part) => ('text' in part ? part.text : part.type)).join(' | ')}`,
  )
  return { model, messages: texts, tools: tools.map(({ name }) => name), params, notes }
}

const PROPERTIES = { type: 'object', properties: {} }
const EXPECTED = {
  model: 'deep-1',
  messages: ['system: Be brief.', 'user: How deep?'],
  tools: ['depth'],
  params: { maxTokens: 300, temperature: 0, topP: 0.9, stop: ['END'] },
  notes: [],
}

test.each([
  [
    'OpenAI chat',
    {
      model: 'deep-1',
      messages: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: 'How deep?' },
      ],
      tools: [{ type: 'function', function: { name: 'depth', parameters: PROPERTIES } }],
      max_completion_tokens: 300,
      temperature: 0,
      top_p: 0.9,
      stop: 'END',
    },
  ],
  [
    'OpenAI Responses',
    {
      model: 'deep-1',
      instructions: 'Be brief.',
      input: 'How deep?',
      tools: [{ type: 'function', name: 'depth', parameters: PROPERTIES }],
      max_output_tokens: 300,
      temperature: 0,
      top_p: 0.9,
      stop: ['END'],
    },
  ],
  [
    'Anthropic',
    {
      model: 'deep-1',
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'How deep?' }] }],
      tools: [{ name: 'depth', input_schema: PROPERTIES }],
      max_tokens: 300,
      temperature: 0,
      top_p: 0.9,
      stop_sequences: ['END'],
    },
  ],
  [
    'Gemini',
    {
      model: 'deep-1',
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [{ role: 'user', parts: [{ text: 'How deep?' }] }],
      tools: [{ functionDeclarations: [{ name: 'depth', parameters: PROPERTIES }] }],
      generationConfig: { maxOutputTokens: 300, temperature: 0, topP: 0.9, stopSequences: ['END'] },
    },
  ],
  [
    "Gemini's Python client",
    {
      model: 'deep-1',
      contents: 'How deep?',
      config: {
        system_instruction: 'Be brief.',
        tools: [{ function_declarations: [{ name: 'depth', parameters: PROPERTIES }] }],
        max_output_tokens: 300,
        temperature: 0,
        top_p: 0.9,
        stop_sequences: ['END'],
      },
    },
  ],
  [
    'Bedrock',
    {
      modelId: 'deep-1',
      system: [{ text: 'Be brief.' }],
      messages: [{ role: 'user', content: [{ text: 'How deep?' }] }],
      toolConfig: { tools: [{ toolSpec: { name: 'depth', inputSchema: { json: PROPERTIES } } }] },
      inferenceConfig: { maxTokens: 300, temperature: 0, topP: 0.9, stopSequences: ['END'] },
    },
  ],
])('%s', (_, body) => {
  expect(isProviderRequest(body)).toBe(true)
  expect(read(body)).toEqual(EXPECTED)
})

test.each([
  ['an object without a conversation', { model: 'deep-1', query: 'How deep?' }],
  ['messages that Python printed', { messages: ["role='user' content='How deep?' name=None"] }],
  ['a list', [{ role: 'user', content: 'How deep?' }]],
  ['text', 'How deep?'],
  ['nothing', undefined],
])('%s is no request', (_, body) => {
  expect(isProviderRequest(body)).toBe(false)
})

test('a conversation that the server keeps is said to be missing', () => {
  expect(read({ input: 'How deep?', previous_response_id: 'resp_1' }).notes).toEqual(['history-kept-by-server'])
})
