import {
  isJsonObject,
  type JsonObject,
  jsonTextOf,
  type Message,
  type TokenUsage,
  textOf,
  withSystemFirst,
} from '../../message/index.ts'
import { numberAt, textAt } from '../attributes.ts'
import type { ContentReader } from '../content-reader.ts'
import type { Attributes, AttributeValue, Span } from '../span.ts'
import { defined } from './defined.ts'
import type { CallDraft, Dialect } from './dialect.ts'
import { readFlatMessages } from './flat-messages.ts'
import { langChainOutput, langChainRequest } from './langchain-run.ts'
import { objectAt, requestAt } from './object-at.ts'
import { readProviderParams } from './provider-params.ts'
import { isProviderRequest, type ProviderRequest, readProviderRequest } from './provider-request.ts'
import { readProviderResponse } from './provider-response.ts'
import { unflattenList } from './unflatten.ts'

const KIND = 'openinference.span.kind'
const SCOPE = /openinference/i

/**
 * OpenInference (Arize Phoenix): messages flattened into `llm.input_messages.0.message.role` and the like, and beside them the
 * request and response as the client gave and got them, in `input.value` and `output.value`. Those hold more: the flattened form
 * loses ids, results and system prompts in several of the instrumentations, and its tail to the limit on attributes.
 */
export const openInference: Dialect = {
  name: 'OpenInference',
  mark: '`openinference.span.kind` is LLM, with the input in `input.value` or `llm.input_messages`',
  advice: {
    content:
      'In OpenInference, leave OPENINFERENCE_HIDE_INPUTS, OPENINFERENCE_HIDE_OUTPUTS and the like unset, and raise OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT.',
  },
  classify({ attributes, scope }) {
    const kind = textAt(attributes, KIND).toUpperCase()
    if (kind === 'LLM') return 'call'
    // Written by hand, without a kind: only a call has messages.
    if (kind === '' && SCOPE.test(scope) && attributes.has('llm.input_messages.0.message.role')) return 'call'
    // Spans of other recorders come through its collector as UNKNOWN.
    return kind === '' || kind === 'UNKNOWN' ? undefined : 'structure'
  },
  read({ attributes }: Span, content: ContentReader): CallDraft {
    const invocation = objectAt(attributes, 'llm.invocation_parameters', content)
    const raw = readRaw(attributes, content)
    const response = readResponse(attributes, content)
    const request = raw ?? readFlatInput(attributes, invocation, content)
    const tools = request.tools.length > 0 ? request.tools : readFlatTools(attributes, invocation, content)
    return {
      richness: raw === undefined ? 'flattened' : 'raw',
      model: modelOf(attributes, 'llm.request.model_name', 'llm.model_name') || request.model || response.model,
      responseId: response.responseId,
      messages: request.messages,
      output: response.output ?? readFlatOutput(attributes, content),
      tools,
      params: { ...readProviderParams(invocation === undefined ? [] : [invocation]), ...request.params },
      usage: { ...response.usage, ...readUsage(attributes) },
    }
  },
}

function modelOf(attributes: Attributes, ...keys: readonly string[]): string {
  return keys.map((key) => textAt(attributes, key)).find((name) => name !== '') ?? ''
}

/** The request as it was given to the client, where it was recorded whole. */
function readRaw(attributes: Attributes, content: ContentReader): ProviderRequest | undefined {
  const body = requestAt(attributes, 'input.value', content)
  if (body === undefined) return undefined
  const request = langChainRequest(body) ?? body
  if (!isProviderRequest(request)) return undefined
  const read = readProviderRequest(request, content, 'input.value')
  return read.messages.length > 0 ? read : undefined
}

function readFlatInput(attributes: Attributes, invocation: JsonObject | undefined, content: ContentReader): ProviderRequest {
  const listed = readFlatMessages(attributes, 'llm.input_messages', content, unwrapMessage)
  const messages = listed.length > 0 ? listed : content.messages(promptsOf(attributes), 'llm.prompts')
  const system = invocation?.system ?? invocation?.instructions ?? invocation?.system_instruction
  const instructions =
    system === undefined ? [] : content.messages(system as AttributeValue, 'llm.invocation_parameters.system', 'system')
  return {
    model: '',
    messages: withSystemFirst(
      content.message(
        'system',
        instructions.flatMap(({ parts }) => parts),
      ),
      messages,
    ),
    tools: readFlatTools(attributes, invocation, content),
    params: {},
  }
}

function readFlatTools(attributes: Attributes, invocation: JsonObject | undefined, content: ContentReader) {
  const schemas = unflattenList(attributes, 'llm.tools').map((tool) => fieldOf(tool, 'tool', 'json_schema'))
  // Exports that parse what they can hold objects here.
  const listed = schemas.filter((schema) => schema !== undefined).map(jsonTextOf)
  // As one text it is recognised when the next call repeats it.
  const tools = listed.length > 0 ? `[${listed.join(',')}]` : (invocation?.tools as AttributeValue | undefined)
  return content.tools(tools, 'llm.tools')
}

/** Completions: a list of texts, or each under a position of its own. */
function promptsOf(attributes: Attributes): AttributeValue {
  const prompts = attributes.get('llm.prompts')
  const list = Array.isArray(prompts) ? prompts : prompts === undefined ? unflattenList(attributes, 'llm.prompts') : [prompts]
  return list.map((prompt) => ({
    role: 'user',
    content: typeof prompt === 'string' ? prompt : textOf(fieldOf(prompt, 'prompt', 'text')),
  }))
}

function readResponse(attributes: Attributes, content: ContentReader): ReturnType<typeof readProviderResponse> {
  const nothing = { model: '', responseId: '', output: null, usage: {} }
  const body = objectAt(attributes, 'output.value', content)
  if (body === undefined) return nothing
  const generated = langChainOutput(body)
  if (generated !== undefined) return { ...nothing, output: content.output(generated, 'output.value'), ...idOf(body) }
  return readProviderResponse(body as AttributeValue, content, 'output.value')
}

/** LangChain keeps the provider's id inside the message. */
function idOf(body: JsonObject): { responseId: string } {
  const message = langChainOutput(body)
  const kwargs = isJsonObject(message) && isJsonObject(message.kwargs) ? message.kwargs : {}
  return { responseId: textOf(kwargs.id) }
}

function readFlatOutput(attributes: Attributes, content: ContentReader): Message | null {
  const messages = unflattenList(attributes, 'llm.output_messages').map(unwrapMessage)
  if (messages.length > 0) return content.output(messages, 'llm.output_messages')
  const text = attributes.get('output.value')
  return text === undefined ? null : content.output(text, 'output.value', true)
}

/** `{ message: { role, contents: [{ message_content }], tool_calls: [{ tool_call }] } }` → a chat message. */
function unwrapMessage(entry: AttributeValue): { readonly [key: string]: AttributeValue } {
  const message = fieldOf(entry, 'message')
  if (!isJsonObject(message)) return isJsonObject(entry) ? (entry as { [key: string]: AttributeValue }) : { content: entry }
  const blocks = listAt(message, 'contents').map((block) => unwrapBlock(fieldOf(block, 'message_content') ?? block))
  const calls = listAt(message, 'tool_calls').map((call) => fieldOf(call, 'tool_call') ?? call)
  const legacy = message.function_call_name
  return {
    role: (message.role ?? 'assistant') as AttributeValue,
    // Anthropic's calls stand among the blocks and in the list, too.
    content: (blocks.length > 0 ? blocks : (message.content ?? null)) as AttributeValue,
    ...(calls.length > 0 && { tool_calls: calls.filter(isNamed) as AttributeValue[] }),
    ...(typeof message.tool_call_id === 'string' && { tool_call_id: message.tool_call_id }),
    ...(typeof legacy === 'string' && {
      function_call: { name: legacy, arguments: textOf(message.function_call_arguments_json) },
    }),
  }
}

function unwrapBlock(block: unknown): AttributeValue {
  if (!isJsonObject(block)) return block as AttributeValue
  const image = fieldOf(block.image as AttributeValue, 'image', 'url')
  if (image !== undefined) return { type: 'image_url', image_url: image }
  return (block.type === 'reasoning' ? { type: 'reasoning', text: textOf(block.text) } : block) as AttributeValue
}

function isNamed(call: unknown): boolean {
  return isJsonObject(call) && isJsonObject(call.function) && textOf(call.function.name) !== ''
}

function readUsage(attributes: Attributes): TokenUsage {
  const count = (...names: readonly string[]) => numberAt(attributes, ...names.map((name) => `llm.token_count.${name}`))
  return defined({
    inputTokens: count('prompt'),
    outputTokens: count('completion'),
    cachedInputTokens: count('prompt_details.cache_read'),
    cacheWriteTokens: count('prompt_details.cache_write'),
    reasoningTokens: count('completion_details.reasoning'),
  })
}

function fieldOf(value: AttributeValue | undefined, ...path: readonly string[]): AttributeValue | undefined {
  let current: unknown = value
  for (const name of path) {
    if (!isJsonObject(current) || !(name in current)) return undefined
    current = current[name]
  }
  return current as AttributeValue
}

function listAt(object: JsonObject, key: string): readonly AttributeValue[] {
  const value = object[key]
  return Array.isArray(value) ? value : []
}
