import { type CallParams, isJsonObject, type Message, type TokenUsage, type ToolDefinition } from '../../message/index.ts'
import { numberAt, textAt } from '../attributes.ts'
import type { ContentReader } from '../content-reader.ts'
import type { Attributes } from '../span.ts'
import { defined } from './defined.ts'
import type { Dialect } from './dialect.ts'
import { readGenAiParams, readGenAiUsage } from './gen-ai-request.ts'

/**
 * The Vercel AI SDK's own spans: versions 4 to 6, and 7 with its legacy integration. (The default integration of 7 writes the
 * OpenTelemetry conventions.) One request is a `doGenerate` or `doStream`; the span around it covers the whole loop of
 * requests and tools, with usage summed up. Each retry is a span of its own.
 */
export const vercelAiSdk: Dialect = {
  name: 'Vercel AI SDK',
  mark: '`ai.operationId` ends in .doGenerate or .doStream, with the input in `ai.prompt.messages`',
  advice: { content: 'In the AI SDK, leave `recordInputs` and `recordOutputs` of the telemetry settings on.' },
  exhaustive: true,
  classify({ attributes }) {
    const operation = operationOf(attributes)
    if (!operation.startsWith('ai.')) return undefined
    return /\.do(?:Generate|Stream)$/.test(operation) ? 'call' : 'structure'
  },
  read({ attributes }, content) {
    const ttftMs = numberAt(attributes, 'ai.response.msToFirstChunk', 'ai.stream.msToFirstChunk')
    return {
      richness: 'sdk',
      model: textAt(attributes, 'gen_ai.request.model') || textAt(attributes, 'ai.model.id'),
      responseId: textAt(attributes, 'gen_ai.response.id') || textAt(attributes, 'ai.response.id'),
      messages: content.messages(attributes.get('ai.prompt.messages'), 'ai.prompt.messages'),
      output: readOutput(attributes, content),
      tools: readTools(attributes, content),
      params: readParams(attributes),
      usage: readUsage(attributes),
      ...(ttftMs === undefined ? {} : { ttftMs }),
    }
  },
}

/** `operation.name` is followed by the function id that the user chose. */
function operationOf(attributes: Attributes): string {
  return textAt(attributes, 'ai.operationId') || (textAt(attributes, 'operation.name').split(' ')[0] ?? '')
}

function readOutput(attributes: Attributes, content: ContentReader): Message | null {
  const text = (...keys: readonly string[]) => keys.map((key) => textAt(attributes, key)).find((value) => value !== '')
  const blocks = [
    ...readList(attributes, 'ai.response.reasoning', content, (reasoning) => ({ type: 'reasoning', text: reasoning })),
    // An object was generated as text, too, or as the arguments of a call; the text is what the model wrote.
    { type: 'text', text: text('ai.response.text', 'ai.result.text', 'ai.response.object', 'ai.result.object') ?? '' },
    ...readList(attributes, 'ai.response.files', content),
    ...readList(attributes, 'ai.response.toolCalls', content),
    ...readList(attributes, 'ai.result.toolCalls', content),
  ]
  return content.output([{ role: 'assistant', content: blocks }], 'ai.response')
}

/** A JSON list; text by itself is an entry, once it has been given a form. */
function readList(attributes: Attributes, key: string, content: ContentReader, fromText?: (text: string) => object): unknown[] {
  const value = attributes.get(key)
  if (value === undefined) return []
  const data = fromText === undefined ? content.data(value, key) : content.dataOrText(value, key)
  if (typeof data === 'string') return fromText === undefined ? [] : [fromText(data)]
  return (Array.isArray(data) ? data : [data]).filter(isJsonObject)
}

/** A list of JSON texts. As one text it is recognised when the next call repeats it. */
function readTools(attributes: Attributes, content: ContentReader): readonly ToolDefinition[] {
  const tools = attributes.get('ai.prompt.tools')
  const isListOfTexts = Array.isArray(tools) && tools.every((tool) => typeof tool === 'string')
  return content.tools(isListOfTexts ? `[${tools.join(',')}]` : tools, 'ai.prompt.tools')
}

function readParams(attributes: Attributes): CallParams {
  const settings = (...names: readonly string[]) => numberAt(attributes, ...names.map((name) => `ai.settings.${name}`))
  return {
    ...defined({
      maxTokens: settings('maxOutputTokens', 'maxTokens'),
      temperature: settings('temperature'),
      topP: settings('topP'),
      topK: settings('topK'),
      seed: settings('seed'),
      frequencyPenalty: settings('frequencyPenalty'),
      presencePenalty: settings('presencePenalty'),
      stream: operationOf(attributes).endsWith('.doStream'),
    }),
    ...readGenAiParams(attributes),
  }
}

function readUsage(attributes: Attributes): TokenUsage {
  const usage = (...names: readonly string[]) => numberAt(attributes, ...names.map((name) => `ai.usage.${name}`))
  return {
    ...readGenAiUsage(attributes),
    ...defined({
      inputTokens: usage('inputTokens', 'promptTokens'),
      outputTokens: usage('outputTokens', 'completionTokens'),
      cachedInputTokens: usage('cachedInputTokens', 'inputTokenDetails.cacheReadTokens'),
      cacheWriteTokens: usage('inputTokenDetails.cacheWriteTokens'),
      reasoningTokens: usage('reasoningTokens', 'outputTokenDetails.reasoningTokens'),
    }),
  }
}
