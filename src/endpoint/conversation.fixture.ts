import type { Message, Part, ToolDefinition } from '../message/index.ts'
import { request } from './endpoint.fixture.ts'
import type { EndpointRequest } from './endpoint.ts'
import { type RequestBody, wholeBody } from './join-body.ts'
import { objectOf } from './json-value.ts'
import type { ResponseReader } from './wire-api.ts'

/** Pieces of conversations, to be written for one API or another. */
export const text = (value: string): Part => ({ type: 'text', text: value })
export const system = (value: string): Message => ({ role: 'system', parts: [text(value)] })
export const user = (...values: string[]): Message => ({ role: 'user', parts: values.map(text) })
export const assistant = (...parts: Part[]): Message => ({ role: 'assistant', parts })
export const call = (id: string, name = 'f', args = '{"x":1}'): Part => ({ type: 'tool_call', id, name, arguments: args })
export const result = (id: string, content: string, ...beside: Part[]): Message => ({
  role: 'tool',
  parts: [{ type: 'tool_result', id, content }, ...beside],
})
export const image: Part = { type: 'media', modality: 'image', mime: 'image/png', source: { data: 'QQ==' } }

export const weather: ToolDefinition = {
  name: 'weather',
  description: 'Tells the weather.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}
export const bare: ToolDefinition = { name: 'bare' }

/** Instructions, two calls at once with their results, and a last question. */
export const conversation: readonly Message[] = [
  system('Be brief.'),
  user('Weather?'),
  assistant(text('Let me see.'), call('a', 'weather', '{"city":"Graz"}'), call('b', 'bare', '{}')),
  result('a', 'sunny'),
  result('b', 'done'),
  user('And now?'),
]

export function written(encode: (request: EndpointRequest) => RequestBody, more: Partial<EndpointRequest>) {
  return JSON.parse(wholeBody(encode(request(more))).toString()) as Record<string, unknown>
}

/** What comes of events, each an object whose `type` is also its name, or a text as it stands. */
export function readEvents(reader: ResponseReader, events: readonly unknown[]) {
  for (const event of events) {
    if (typeof event === 'string') reader.readEvent(event, '')
    else reader.readEvent(JSON.stringify(event), String(objectOf(event).type ?? ''))
  }
  return reader.finish()
}
