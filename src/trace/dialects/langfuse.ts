import { isJsonObject, type JsonObject, type TokenUsage } from '../../message/index.ts'
import { textAt } from '../attributes.ts'
import type { ContentReader } from '../content-reader.ts'
import type { AttributeValue, Span } from '../span.ts'
import { fromIso } from '../time.ts'
import { defined } from './defined.ts'
import type { CallDraft, Dialect } from './dialect.ts'
import { readProviderParams } from './provider-params.ts'
import { isProviderRequest, type ProviderRequest, readProviderRequest } from './provider-request.ts'
import { readProviderResponse } from './provider-response.ts'
import { readTranscript } from './transcript.ts'

const TYPE = 'langfuse.observation.type'
const INPUT = 'langfuse.observation.input'
const OUTPUT = 'langfuse.observation.output'

const STRUCTURE = new Set(['agent', 'tool', 'chain', 'retriever', 'embedding', 'evaluator', 'guardrail', 'event'])

/**
 * What the Langfuse SDK sets on spans, and what its exports hold. Input and output are what the traced function was given and
 * returned: a request, messages, text, anything.
 */
export const langfuse: Dialect = {
  name: 'Langfuse',
  mark: '`langfuse.observation.type` is generation, with the input in `langfuse.observation.input`',
  advice: { content: 'In Langfuse, leave the capture of input and output on, and let no mask empty them.' },
  classify({ attributes }) {
    const type = textAt(attributes, TYPE)
    if (type === 'generation') return 'call'
    // Of a plain span, other attributes may know more.
    return STRUCTURE.has(type) ? 'structure' : undefined
  },
  read(span, content) {
    const { attributes } = span
    const input = readInput(attributes.get(INPUT), content)
    const response = readProviderResponse(outputOf(attributes.get(OUTPUT)), content, OUTPUT)
    const parameters = dataAt(span, 'langfuse.observation.model.parameters', content)
    const ttftMs = readTtft(span)
    return {
      richness: input.richness,
      model: textAt(attributes, 'langfuse.observation.model.name') || input.model || response.model,
      responseId: response.responseId,
      messages: input.messages,
      output: response.output,
      tools: input.tools,
      params: { ...readProviderParams(isJsonObject(parameters) ? [parameters] : []), ...input.params },
      usage: { ...response.usage, ...readUsage(dataAt(span, 'langfuse.observation.usage_details', content)) },
      ...(ttftMs === undefined ? {} : { ttftMs }),
    }
  },
}

type Input = ProviderRequest & Pick<CallDraft, 'richness'>

function readInput(value: AttributeValue | undefined, content: ContentReader): Input {
  // Whoever recorded the span may have kept more under names of its own.
  const nothing: Input = { richness: 'flattened', model: '', messages: [], tools: [], params: {} }
  if (value === undefined) return nothing
  const beginning = typeof value === 'string' ? content.beginningOf(value) : ''
  const isList = /^\s*\[/.test(beginning)
  if (typeof value === 'string' && /^\s*\[\s*\{\s*"/.test(beginning) && !content.holds(value, TOOL_DEFINITION))
    return { ...nothing, messages: content.messages(value, INPUT) }
  const data = isList ? content.dataOrText(value, INPUT) : content.request(value, INPUT, { plain: true })
  if (isProviderRequest(data)) return { ...readProviderRequest(data, content, INPUT), richness: 'raw' }
  if (typeof data === 'string') {
    return { ...nothing, messages: content.messages(readTranscript(data) ?? [{ role: 'user', content: data }], INPUT) }
  }
  if (Array.isArray(data)) {
    const definitions = data.filter(isToolDefinition)
    return {
      ...nothing,
      messages: content.messages(
        data.filter((entry) => !isToolDefinition(entry)),
        INPUT,
      ),
      tools: content.tools(
        definitions.map((entry) => entry.content),
        INPUT,
      ),
    }
  }
  // What a function was given is not what the model was sent, but says how much of it there was.
  if (isJsonObject(data) && data.role === undefined) {
    content.note(
      'input-not-messages',
      'The input of a call is no list of messages; it was read as one user message of JSON text.',
    )
    return { ...nothing, messages: content.messages([{ role: 'user', content: JSON.stringify(data) }], INPUT) }
  }
  return { ...nothing, messages: content.messages(data, INPUT) }
}

/** In JSON text: a list without one may go on from a list that was read. */
const TOOL_DEFINITION = /"content":\s*\{\s*"type":\s*"function"/

/** Its integration of LangChain lists the tools among the messages. */
function isToolDefinition(entry: unknown): entry is JsonObject {
  return (
    isJsonObject(entry) &&
    entry.role === 'tool' &&
    isJsonObject(entry.content) &&
    entry.content.type === 'function' &&
    isJsonObject(entry.content.function)
  )
}

/** How Python prints that there was no text. */
function outputOf(value: AttributeValue | undefined): AttributeValue | undefined {
  return value === 'None' ? undefined : value
}

function dataAt({ attributes }: Span, key: string, content: ContentReader): unknown {
  const value = attributes.get(key)
  return value === undefined ? undefined : content.data(value, key)
}

/** Kept as JSON: a quoted time. */
function readTtft({ attributes, startMs }: Span): number | undefined {
  const ttftMs = fromIso(textAt(attributes, 'langfuse.observation.completion_start_time').replace(/^"|"$/g, '')) - startMs
  return ttftMs >= 0 ? ttftMs : undefined
}

const CACHE_READ = ['input_cached_tokens', 'input_cache_read', 'cache_read_input_tokens', 'prompt_details.cache_read']
const CACHE_WRITE = ['input_cache_creation', 'cache_creation_input_tokens', 'prompt_details.cache_write']
const REASONING = ['output_reasoning_tokens', 'output_reasoning', 'completion_details.reasoning']

/** Details are mostly taken out of `input` and `output`, so that the counts can be added up; the total tells. */
function readUsage(details: unknown): TokenUsage {
  if (!isJsonObject(details)) return {}
  const count = (...keys: readonly string[]) => keys.map((key) => details[key]).find((value) => typeof value === 'number')
  const [cached, written, reasoning] = [count(...CACHE_READ), count(...CACHE_WRITE), count(...REASONING)]
  const [input, output, total] = [count('input'), count('output'), count('total')]
  const addsUp = total !== undefined && total >= (input ?? 0) + (output ?? 0) + (cached ?? 0) + (written ?? 0)
  const inputApart = addsUp ? (cached ?? 0) + (written ?? 0) : 0
  const outputApart = addsUp && total >= (input ?? 0) + (output ?? 0) + inputApart + (reasoning ?? 0) ? (reasoning ?? 0) : 0
  return defined({
    inputTokens: input === undefined ? undefined : input + inputApart,
    outputTokens: output === undefined ? undefined : output + outputApart,
    cachedInputTokens: cached,
    cacheWriteTokens: written,
    reasoningTokens: reasoning,
  })
}
