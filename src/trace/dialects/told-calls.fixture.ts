import type { Call, Message } from '../../message/index.ts'
import type { Reading } from '../trace.fixture.ts'

/** What a dialect made of its spans, short enough to compare at a glance. */
export function told({ sessions }: Reading) {
  return sessions.flatMap(({ calls }) => calls).map(toldCall)
}

function toldCall({ model, messages, output, tools, params, usage }: Call) {
  return {
    model,
    messages: messages.map(shownMessage),
    output: output === null ? null : shownMessage(output),
    tools: tools.map(
      ({ name, parameters }) => `${name}(${Object.keys((parameters?.properties as object | undefined) ?? {}).join(', ')})`,
    ),
    params,
    usage,
  }
}

function shownMessage({ role, parts }: Message): string {
  return `${role}: ${parts.map(shownPart).join(' | ')}`
}

function shownPart(part: Message['parts'][number]): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'reasoning':
      return `(${part.text})`
    case 'tool_call':
      return `${part.id}=${part.name}(${part.arguments})`
    case 'tool_result':
      return `${part.id}→${part.content}`
    case 'media':
      return `<${part.modality}>`
  }
}

/** The definition that all dialects' tests offer the model, in OpenAI's form. */
export const DEPTH_TOOL = {
  type: 'function',
  function: {
    name: 'depth',
    description: 'How deep a lake is.',
    parameters: { type: 'object', properties: { lake: { type: 'string' } } },
  },
}

/** What the second call of every test looks like, whatever it was stored in. */
export const SECOND_TURN = [
  'system: You know lakes.',
  'user: How deep are Thun and Brienz?',
  'assistant: c1=depth({"lake":"Thun"}) | c2=depth({"lake":"Brienz"})',
  'tool: c1→217 m',
  'tool: c2→260 m',
]

/** The same as OpenAI's chat messages. */
export const SECOND_INPUT = [
  { role: 'system', content: 'You know lakes.' },
  { role: 'user', content: 'How deep are Thun and Brienz?' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: 'c1', type: 'function', function: { name: 'depth', arguments: '{"lake":"Thun"}' } },
      { id: 'c2', type: 'function', function: { name: 'depth', arguments: '{"lake":"Brienz"}' } },
    ],
  },
  { role: 'tool', tool_call_id: 'c1', content: '217 m' },
  { role: 'tool', tool_call_id: 'c2', content: '260 m' },
]
