import { type Message, withSystemFirst } from '../../message/index.ts'
import { NO_ATTRIBUTES, numberAt, textAt } from '../attributes.ts'
import type { ContentReader } from '../content-reader.ts'
import type { Attributes, AttributeValue, Span } from '../span.ts'
import type { Dialect } from './dialect.ts'
import { readGenAiUsage } from './gen-ai-request.ts'
import { otelGenAi } from './otel-genai.ts'

const MESSAGE = /^gen_ai\.(system|user|assistant|tool)\.message$/
const CHOICE = 'gen_ai.choice'
const DETAILS = 'gen_ai.client.inference.operation.details'

/** Cycles and agents stand between a call and what its agent was set up with. */
const FURTHEST_AGENT = 4

/**
 * Strands Agents, in Python and JavaScript: one span event per message, its content in Bedrock's blocks. Opted in to the latest
 * conventions, it writes up to three events with one attribute each instead.
 */
export const strands: Dialect = {
  name: 'Strands Agents',
  mark: '`gen_ai.operation.name` is chat and `gen_ai.system` is strands-agents, with messages in span events',
  advice: {
    content: 'Strands Agents writes messages as span events: export them, and raise the limits on events if there are any.',
  },
  exhaustive: true,
  classify({ attributes }) {
    const isStrands = [textAt(attributes, 'gen_ai.system'), textAt(attributes, 'gen_ai.provider.name')].includes('strands-agents')
    if (!isStrands) return undefined
    return textAt(attributes, 'gen_ai.operation.name') === 'chat' ? 'call' : 'structure'
  },
  read(span, content) {
    const draft = otelGenAi.read({ ...span, attributes: withDetails(span) }, content)
    const agent = agentAround(span, content)
    const messages = readMessages(span, content)
    const [input, output] = messages.length > 0 ? [messages, readChoice(span, content)] : [draft.messages, draft.output]
    const ttftMs = numberAt(span.attributes, 'gen_ai.server.time_to_first_token')
    return {
      ...draft,
      messages: input.some(({ role }) => role === 'system') ? input : withSystemFirst(readSystem(agent, content), input),
      output,
      tools: draft.tools.length > 0 ? draft.tools : readTools(agent, content),
      usage: readGenAiUsage(span.attributes),
      ...(ttftMs === undefined ? {} : { ttftMs }),
    }
  },
}

/** The attributes of all its events of that name as if the span had them. */
function withDetails({ attributes, events }: Span): Attributes {
  const merged = new Map<string, AttributeValue>(attributes)
  for (const event of events) if (event.name === DETAILS) for (const [key, value] of event.attributes) merged.set(key, value)
  return merged
}

function readMessages({ events }: Span, content: ContentReader): readonly Message[] {
  const turns = events.flatMap(({ name, attributes }) => {
    const role = MESSAGE.exec(name)?.[1]
    return role === undefined ? [] : [{ role, content: attributes.get('content') ?? '' }]
  })
  return content.turns(turns, 'content')
}

function readChoice({ events }: Span, content: ContentReader): Message | null {
  const value = events.find(({ name }) => name === CHOICE)?.attributes.get('message')
  if (value === undefined) return null
  return content.output([{ role: 'assistant', content: content.dataOrText(value, CHOICE) }], CHOICE)
}

function agentAround(span: Span, content: ContentReader): Attributes {
  let around = content.parentOf(span)
  for (let distance = 1; around !== undefined && distance <= FURTHEST_AGENT; distance++) {
    if (textAt(around.attributes, 'gen_ai.operation.name') === 'invoke_agent') return around.attributes
    around = content.parentOf(around)
  }
  return NO_ATTRIBUTES
}

/** The prompt as JSON: a quoted text, or blocks. */
function readSystem(agent: Attributes, content: ContentReader): Message | undefined {
  const value = textAt(agent, 'system_prompt')
  if (value === '' || value === 'null') return undefined
  const data = value.startsWith('"') ? content.data(`[${value}]`, 'system_prompt') : content.dataOrText(value, 'system_prompt')
  const [message] = content.messages([{ role: 'system', content: data }], 'system_prompt')
  return message
}

function readTools(agent: Attributes, content: ContentReader) {
  const key = ['gen_ai.tool.definitions', 'gen_ai.tool_definitions', 'gen_ai.agent.tools'].find((place) => agent.has(place)) ?? ''
  return content.tools(agent.get(key), key)
}
