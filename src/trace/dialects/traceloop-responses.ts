import { isJsonObject, type Message } from '../../message/index.ts'
import { textAt } from '../attributes.ts'
import type { ContentReader } from '../content-reader.ts'
import type { AttributeValue, Span } from '../span.ts'
import type { CallDraft, Dialect } from './dialect.ts'
import { otelGenAi } from './otel-genai.ts'

const INPUT = 'gen_ai.input.messages'

/**
 * What OpenLLMetry for JavaScript (0.27) makes of OpenAI's Responses: the whole input as JSON inside one user text. Instructions,
 * tools and the model's tool calls are lost; the calls of one request reappear in the input of the next.
 */
export const traceloopResponses: Dialect = {
  name: 'OpenLLMetry, Responses API',
  mark: 'its scope is @traceloop/instrumentation-openai, with the items of a Responses request as JSON text in `gen_ai.input.messages`',
  exhaustive: true,
  classify: ({ attributes, scope }) =>
    scope === '@traceloop/instrumentation-openai' && textAt(attributes, 'gen_ai.operation.name') === 'chat' ? 'call' : undefined,
  read(span: Span, content: ContentReader): CallDraft {
    const draft = otelGenAi.read({ ...span, attributes: new Map([...span.attributes].filter(([key]) => key !== INPUT)) }, content)
    const items = itemsIn(span.attributes.get(INPUT), content)
    // A chat is read as what it is, by the dialect of the conventions.
    if (items === undefined) return { ...draft, richness: 'flattened' }
    content.note(
      'tool-calls-not-recorded',
      'This version of OpenLLMetry records neither the instructions, nor the tools, nor the tool calls of a Responses request. They are taken from later histories where those hold them. Use chat completions, or another instrumentation, to have them recorded.',
    )
    return { ...draft, richness: 'raw', messages: items, output: hasOutput(draft) ? draft.output : null }
  },
}

function itemsIn(value: AttributeValue | undefined, content: ContentReader): readonly Message[] | undefined {
  const data = value === undefined ? undefined : content.data(value, INPUT)
  if (!Array.isArray(data) || data.length !== 1) return undefined
  const [message] = data
  const parts = isJsonObject(message) && Array.isArray(message.parts) ? message.parts : []
  const [part] = parts
  if (parts.length !== 1 || !isJsonObject(part) || typeof part.content !== 'string' || !/^\s*\[\s*\{/.test(part.content))
    return undefined
  // What earlier requests had in it is not parsed again.
  if (/^\[\{"(?:role|type)":"/.test(part.content)) return content.messages(part.content, INPUT)
  const items = content.dataOrText(part.content, INPUT)
  const isItem = (item: unknown) => isJsonObject(item) && (typeof item.role === 'string' || typeof item.type === 'string')
  return Array.isArray(items) && items.every(isItem) ? content.messages(items, INPUT) : undefined
}

function hasOutput({ output }: CallDraft): boolean {
  return output?.parts.some((part) => part.type !== 'text' || part.text !== '') === true
}
