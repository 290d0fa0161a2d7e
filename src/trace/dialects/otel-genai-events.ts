import { isJsonObject, type JsonObject, type Message } from '../../message/index.ts'
import { textAt } from '../attributes.ts'
import type { ContentReader } from '../content-reader.ts'
import type { Attributes, AttributeValue, Span, SpanEvent } from '../span.ts'
import type { CallDraft, Dialect } from './dialect.ts'
import { otelGenAi } from './otel-genai.ts'

const DETAILS = 'gen_ai.client.inference.operation.details'

/** Per-message events, 2024 to mid 2025: the role is in the event's name. */
const ROLES = new Map([
  ['gen_ai.system.message', 'system'],
  ['gen_ai.user.message', 'user'],
  ['gen_ai.assistant.message', 'assistant'],
  ['gen_ai.tool.message', 'tool'],
])
const CHOICE = 'gen_ai.choice'

/** Until mid 2024: one event for all input, one for the answer. */
const PROMPT = 'gen_ai.content.prompt'
const COMPLETION = 'gen_ai.content.completion'

/**
 * The OpenTelemetry conventions with content in events of the span, or in log records that name it: a message each, all in one
 * (`gen_ai.client.inference.operation.details`, possibly an attribute at a time), or the prompt and completion of the first version.
 */
export const otelGenAiEvents: Dialect = {
  name: 'OpenTelemetry GenAI events',
  mark: 'it has events such as `gen_ai.user.message` and `gen_ai.choice`, on the span or as log records',
  advice: {
    content:
      'Set OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true (in newer Python packages SPAN_AND_EVENT), and export logs as well as traces: content may be in log records only.',
  },
  classify(span) {
    const known = otelGenAi.classify(span)
    if (known !== undefined) return known
    // Some recorders of that time named no operation.
    const named =
      textAt(span.attributes, 'gen_ai.request.model') !== '' && textAt(span.attributes, 'gen_ai.operation.name') === ''
    return named && span.events.some(({ name }) => ROLES.has(name) || name === CHOICE || name === PROMPT) ? 'call' : undefined
  },
  read(span: Span, content: ContentReader): CallDraft {
    const { events } = span
    const details = detailsOf(events)
    if (details !== undefined) return otelGenAi.read({ ...span, attributes: details, events: [] }, content)
    const base = otelGenAi.read({ ...span, attributes: withoutContent(span.attributes), events: [] }, content)
    return { ...base, richness: 'events', messages: readInput(events, content), output: readOutput(events, content) }
  },
}

/** All such events of a span as one set of attributes: a recorder may send them one by one. */
function detailsOf(events: readonly SpanEvent[]): Attributes | undefined {
  const all = events.filter(({ name }) => name === DETAILS)
  if (all.length === 0) return undefined
  return new Map(all.flatMap(({ attributes, body }) => [...attributes, ...(isJsonObject(body) ? Object.entries(body) : [])]))
}

const CONTENT_KEYS = [
  'gen_ai.input.messages',
  'gen_ai.output.messages',
  'gen_ai.system_instructions',
  'gen_ai.prompt',
  'gen_ai.completion',
]

/** What is in attributes is read by the dialect of attributes. */
function withoutContent(attributes: Attributes): Attributes {
  return new Map([...attributes].filter(([key]) => !CONTENT_KEYS.includes(key)))
}

function readInput(events: readonly SpanEvent[], content: ContentReader): readonly Message[] {
  const turns = events.flatMap((event) => {
    const role = ROLES.get(event.name)
    return role === undefined ? [] : [{ role, content: contentOf(event) }]
  })
  const messages = content.turns(turns, 'events', (turn) => messageOf(asFields(turn.content), turn.role, content))
  if (messages.length > 0) return messages
  const prompt = events.find(({ name }) => name === PROMPT)
  return prompt === undefined ? [] : content.messages(promptOf(prompt.attributes, content), PROMPT)
}

/** JSON messages, or a text of them as one recorder writes it: `user: …`. */
function promptOf(attributes: Attributes, content: ContentReader): AttributeValue {
  const prompt = attributes.get('gen_ai.prompt') ?? null
  if (prompt === null) return []
  const data = content.dataOrText(prompt, PROMPT)
  return typeof data === 'string' ? [{ role: 'user', content: data.replace(/^user: /, '') }] : (data as AttributeValue)
}

function contentOf({ attributes, body }: SpanEvent): JsonObject | Attributes {
  return isJsonObject(body) ? body : attributes
}

function asFields(content: unknown): JsonObject {
  if (content instanceof Map) return Object.fromEntries(content)
  return isJsonObject(content) ? content : {}
}

/** A message from what an event holds: in its body, or in attributes, whole or field by field, as values or as JSON. */
function messageOf(fields: JsonObject, role: string, content: ContentReader): JsonObject {
  const whole = fields.message ?? fields['gen_ai.event.content']
  if (typeof whole === 'string' || isJsonObject(whole)) {
    const data = content.dataOrText(whole as AttributeValue, 'message')
    if (isJsonObject(data)) return { ...data, role: typeof data.role === 'string' ? data.role : role }
  }
  const text = fields.content
  return {
    role,
    content: typeof text === 'string' ? (content.dataOrText(text, 'content') as AttributeValue) : text,
    ...pick(fields, content, 'tool_calls'),
    ...(role === 'tool' && { tool_call_id: fields.id ?? fields.tool_call_id }),
  }
}

function pick(fields: JsonObject, content: ContentReader, key: string): JsonObject {
  const value = fields[key]
  if (value === undefined || value === null) return {}
  return { [key]: content.data(value as AttributeValue, key) }
}

function readOutput(events: readonly SpanEvent[], content: ContentReader): Message | null {
  // The first of several alternatives; recorders that stream send their choices in pieces with one index.
  const choice = events.find(({ name }) => name === CHOICE)
  if (choice !== undefined) return content.output([choiceOf(choice, content)] as AttributeValue, CHOICE)
  const completion = events.find(({ name }) => name === COMPLETION)?.attributes.get('gen_ai.completion')
  // "None" is how Python prints that there was no text, but tool calls.
  return completion === undefined || completion === 'None' ? null : content.output(completion, COMPLETION, true)
}

function choiceOf(event: SpanEvent, content: ContentReader): JsonObject {
  const fields = asFields(contentOf(event))
  const message = fields.message
  const data = message === undefined ? undefined : content.dataOrText(message as AttributeValue, CHOICE)
  if (Array.isArray(data)) return { role: 'assistant', content: data }
  if (typeof data === 'string') return { role: 'assistant', content: data, ...pick(fields, content, 'tool_calls') }
  if (isJsonObject(data)) return { ...data, role: 'assistant', ...pick(fields, content, 'tool_calls') }
  return messageOf(fields, 'assistant', content)
}
