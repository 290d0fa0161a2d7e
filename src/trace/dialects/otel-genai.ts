import { isJsonObject, type Message, withSystemFirst } from '../../message/index.ts'
import { numberAt, textAt } from '../attributes.ts'
import type { ContentReader } from '../content-reader.ts'
import type { Attributes, AttributeValue, Span } from '../span.ts'
import type { Dialect } from './dialect.ts'
import { readGenAiParams, readGenAiUsage } from './gen-ai-request.ts'

const CALLS = new Set(['chat', 'text_completion', 'generate_content', 'completion'])

const STRUCTURE = new Set([
  'invoke_agent',
  'create_agent',
  'execute_tool',
  'agent_step',
  'invoke_workflow',
  'plan',
  'embeddings',
  'rerank',
  'retrieval',
])

/**
 * The OpenTelemetry semantic conventions for generative AI, with content in span attributes: `gen_ai.input.messages` and
 * `gen_ai.output.messages` of the current form, and the attributes that came before them.
 */
export const otelGenAi: Dialect = {
  name: 'OpenTelemetry GenAI',
  mark: '`gen_ai.operation.name` is chat, text_completion or generate_content, with the input in `gen_ai.input.messages`',
  classify({ attributes }) {
    const operation = textAt(attributes, 'gen_ai.operation.name')
    if (CALLS.has(operation)) return 'call'
    return STRUCTURE.has(operation) ? 'structure' : undefined
  },
  read({ attributes }: Span, content: ContentReader) {
    const ttftSeconds = numberAt(attributes, 'gen_ai.response.time_to_first_chunk', 'gen_ai.client.operation.time_to_first_chunk')
    return {
      richness: 'messages',
      model: textAt(attributes, 'gen_ai.request.model') || textAt(attributes, 'gen_ai.response.model'),
      responseId: textAt(attributes, 'gen_ai.response.id'),
      messages: readInput(attributes, content),
      output: readOutput(attributes, content),
      tools: content.tools(attributes.get('gen_ai.tool.definitions'), 'gen_ai.tool.definitions'),
      params: readGenAiParams(attributes),
      usage: readGenAiUsage(attributes),
      ...(ttftSeconds === undefined ? {} : { ttftMs: ttftSeconds * 1_000 }),
    }
  },
}

function readInput(attributes: Attributes, content: ContentReader): readonly Message[] {
  const instructions = content.messages(attributes.get('gen_ai.system_instructions'), 'gen_ai.system_instructions', 'system')
  const system = content.message(
    'system',
    instructions.flatMap(({ parts }) => parts),
  )
  const messages = content.messages(attributes.get('gen_ai.input.messages'), 'gen_ai.input.messages')
  return withSystemFirst(system, messages.length > 0 ? messages : readPrompt(attributes, content))
}

/** `gen_ai.prompt`, the one attribute for all input until 2024: messages as JSON, alone or in a request, or plain text. */
function readPrompt(attributes: Attributes, content: ContentReader): readonly Message[] {
  const prompt = attributes.get('gen_ai.prompt')
  if (typeof prompt !== 'string' || prompt.startsWith('[')) return content.messages(prompt, 'gen_ai.prompt')
  const data = content.dataOrText(prompt, 'gen_ai.prompt')
  if (isJsonObject(data) && Array.isArray(data.messages)) return content.messages(data.messages, 'gen_ai.prompt')
  if (isJsonObject(data) && typeof data.role === 'string') return content.messages(prompt, 'gen_ai.prompt')
  return [content.message('user', [{ type: 'text', text: prompt }])]
}

function readOutput(attributes: Attributes, content: ContentReader): Message | null {
  return (
    content.output(attributes.get('gen_ai.output.messages'), 'gen_ai.output.messages') ??
    readOutputText(attributes.get('gen_ai.output.text'), content) ??
    content.output(attributes.get('gen_ai.completion'), 'gen_ai.completion', true)
  )
}

/** The model's text as it stands, even when it is JSON. */
function readOutputText(value: AttributeValue | undefined, content: ContentReader): Message | null {
  if (typeof value !== 'string') return content.output(value, 'gen_ai.output.text')
  return content.message('assistant', [{ type: 'text', text: value }])
}
