import { isJsonObject, type Message, type TokenUsage } from '../../message/index.ts'
import type { ContentReader } from '../content-reader.ts'
import type { Attributes } from '../span.ts'
import type { Dialect } from './dialect.ts'
import { isProviderRequest, type ProviderRequest, readProviderRequest } from './provider-request.ts'
import { readProviderResponse } from './provider-response.ts'
import { readProviderUsage } from './provider-usage.ts'

const INPUTS = 'mlflow.spanInputs'
const OUTPUTS = 'mlflow.spanOutputs'
const TOOLS = 'mlflow.chat.tools'
const MESSAGES = 'mlflow.chat.messages'

const CALLS = new Set(['LLM', 'CHAT_MODEL'])
const STRUCTURE = /^(?:AGENT|TOOL|CHAIN|RETRIEVER|EMBEDDING|RERANKER|PARSER|MEMORY|WORKFLOW|TASK|GUARDRAIL|EVALUATOR)$/

/** MLflow. Every attribute of its own is JSON text, even a plain name: `"LLM"` with its quotes. */
export const mlflow: Dialect = {
  name: 'MLflow',
  mark: '`mlflow.spanType` is LLM or CHAT_MODEL, with the input in `mlflow.spanInputs`',
  classify({ attributes }) {
    const type = plainText(attributes, 'mlflow.spanType').toUpperCase()
    if (CALLS.has(type)) return 'call'
    return STRUCTURE.test(type) ? 'structure' : undefined
  },
  read({ attributes }, content) {
    const request = readInputs(attributes, content)
    const response = readOutputs(attributes, content)
    const tools = content.tools(dataAt(attributes, TOOLS, content), TOOLS)
    return {
      richness: 'raw',
      model: request.model || plainText(attributes, 'mlflow.llm.model') || response.model,
      responseId: response.responseId,
      messages: request.messages,
      output: response.output,
      tools: request.tools.length > 0 ? request.tools : tools,
      params: request.params,
      usage: { ...response.usage, ...readTokens(attributes, content) },
    }
  },
}

function readInputs(attributes: Attributes, content: ContentReader): ProviderRequest {
  const inputs = dataAt(attributes, INPUTS, content, true)
  const body = isJsonObject(inputs) && isProviderRequest(inputs.kwargs) ? inputs.kwargs : inputs
  if (isProviderRequest(body)) {
    const request = readProviderRequest(body, content, INPUTS)
    // LangChain batches: a list of conversations, of which a call has one.
    const { messages } = body
    const batch = Array.isArray(messages) && messages.length === 1 && Array.isArray(messages[0]) ? messages[0] : undefined
    return batch === undefined ? request : { ...request, messages: content.messages(batch, INPUTS) }
  }
  const nothing = { model: '', tools: [], params: {} }
  const messages = dataAt(attributes, MESSAGES, content)
  if (Array.isArray(messages)) return { ...nothing, messages: content.messages(withoutAnswer(messages), MESSAGES) }
  if (Array.isArray(inputs)) return { ...nothing, messages: content.messages(inputs.flat(), INPUTS) }
  return { ...nothing, messages: content.messages(inputs, INPUTS) }
}

/** The conversation as a whole, with the answer at its end. */
function withoutAnswer(messages: readonly unknown[]): readonly unknown[] {
  const last = messages.at(-1)
  return isJsonObject(last) && last.role === 'assistant' ? messages.slice(0, -1) : messages
}

function readOutputs(attributes: Attributes, content: ContentReader) {
  const outputs = dataAt(attributes, OUTPUTS, content)
  const response = readProviderResponse(generationIn(outputs) ?? outputs, content, OUTPUTS)
  if (response.output !== null) return response
  const messages = dataAt(attributes, MESSAGES, content)
  const last = Array.isArray(messages) ? messages.at(-1) : undefined
  const output: Message | null = isJsonObject(last) && last.role === 'assistant' ? content.output(last, MESSAGES) : null
  return { ...response, output }
}

/** LangChain's `{ generations: [[{ message }]] }`. */
function generationIn(outputs: unknown): unknown {
  if (!isJsonObject(outputs) || !Array.isArray(outputs.generations)) return undefined
  const [generation] = outputs.generations.flat()
  return isJsonObject(generation) ? (generation.message ?? generation) : undefined
}

function readTokens(attributes: Attributes, content: ContentReader): TokenUsage {
  return readProviderUsage(dataAt(attributes, 'mlflow.chat.tokenUsage', content))
}

function dataAt(attributes: Attributes, key: string, content: ContentReader, isRequest = false): unknown {
  const value = attributes.get(key)
  // Text, or JSON text once more inside a JSON text.
  const text = typeof value === 'string' ? unquoted(value) : value
  return isRequest ? content.request(text, key, { plain: true }) : content.dataOrText(text, key)
}

function plainText(attributes: Attributes, key: string): string {
  const value = attributes.get(key)
  return typeof value === 'string' ? unquoted(value) : ''
}

function unquoted(text: string): string {
  if (!text.startsWith('"')) return text
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? value : text
  } catch {
    return text
  }
}
