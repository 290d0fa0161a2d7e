import { isJsonObject, type JsonObject, type Message, textOf } from '../../message/index.ts'
import { textAt } from '../attributes.ts'
import type { ContentReader } from '../content-reader.ts'
import type { Attributes, AttributeValue, Span } from '../span.ts'
import type { Dialect } from './dialect.ts'
import { readFlatMessages } from './flat-messages.ts'
import { readGenAiParams, readGenAiUsage } from './gen-ai-request.ts'
import { unflattenList } from './unflatten.ts'

/**
 * OpenLLMetry (Traceloop) before it took up the current conventions, and others that write like it (Koog): messages under
 * `gen_ai.prompt.0.role`, answers under `gen_ai.completion.0.content`, tools under `llm.request.functions.0.name`.
 */
export const traceloop: Dialect = {
  name: 'OpenLLMetry',
  mark: '`llm.request.type` is chat or completion, with the input in `gen_ai.prompt.0.content`',
  advice: {
    content: 'In OpenLLMetry, leave TRACELOOP_TRACE_CONTENT unset or set it to true.',
    toolCallIds: 'OpenLLMetry for JavaScript records them from version 0.27 on; update it.',
  },
  classify({ attributes, name }) {
    if (textAt(attributes, 'traceloop.span.kind') !== '') return 'structure'
    const type = textAt(attributes, 'llm.request.type')
    if (type === 'chat' || type === 'completion') return 'call'
    if (type === 'embedding' || type === 'rerank') return 'structure'
    const isKoog = name === 'llm.chat' && textAt(attributes, 'gen_ai.request.model') !== ''
    return isKoog ? 'call' : undefined
  },
  read({ attributes }: Span, content: ContentReader) {
    return {
      richness: 'flattened',
      model: textAt(attributes, 'gen_ai.request.model') || textAt(attributes, 'gen_ai.response.model'),
      responseId: textAt(attributes, 'gen_ai.response.id'),
      messages: readPrompts(attributes, content),
      output: readCompletions(attributes, content),
      tools: content.tools(
        unflattenList(attributes, 'llm.request.functions').map(readFunction) as AttributeValue[],
        'llm.request.functions',
      ),
      params: readGenAiParams(attributes),
      usage: readGenAiUsage(attributes),
    }
  },
}

function readPrompts(attributes: Attributes, content: ContentReader): readonly Message[] {
  return readFlatMessages(attributes, 'gen_ai.prompt', content, (prompt) => readEntry(prompt, content, 'user'))
}

/** Koog writes each parallel call as a completion of its own; all that call tools are one turn. */
function readCompletions(attributes: Attributes, content: ContentReader): Message | null {
  const entries = unflattenList(attributes, 'gen_ai.completion').map((entry) => readEntry(entry, content, 'assistant'))
  return entries.length === 0 ? null : content.output(entries as AttributeValue, 'gen_ai.completion')
}

/** Content blocks come as JSON text; so does all else that the recorder could not flatten. */
function readEntry(entry: AttributeValue, content: ContentReader, missing: 'user' | 'assistant'): object {
  if (!isJsonObject(entry)) return { role: missing, content: entry }
  const { content: text, reasoning, tool_calls: calls, tool_call_id: id, role = missing, ...rest } = entry
  const blocks = typeof text === 'string' && /^\s*\[/.test(text) ? content.dataOrText(text, 'gen_ai.prompt') : text
  const koogCalls = role === 'tool' && Array.isArray(blocks) ? blocks.map(koogCall).filter((call) => call !== undefined) : []
  if (koogCalls.length > 0) return { role: 'assistant', content: null, tool_calls: koogCalls }
  return {
    role: missing === 'assistant' ? 'assistant' : role,
    content: blocks ?? null,
    ...(reasoning !== undefined && { reasoning }),
    ...(calls !== undefined && { tool_calls: Array.isArray(calls) ? calls : [calls] }),
    ...(id !== undefined && { tool_call_id: id }),
    ...(isJsonObject(rest.function_call) && { function_call: rest.function_call }),
  }
}

/** In the history, calls stand in a message of role `tool`. */
function koogCall(block: unknown): JsonObject | undefined {
  if (!isJsonObject(block)) return undefined
  const named = isJsonObject(block.function) ? block.function : block
  return typeof named.name === 'string' && (named.arguments !== undefined || named.args !== undefined) ? block : undefined
}

/** The JavaScript package writes a function's schema under `arguments`. */
function readFunction(tool: AttributeValue): object {
  if (!isJsonObject(tool)) return {}
  const schema = tool.parameters ?? tool.arguments ?? tool.input_schema
  return {
    name: textOf(tool.name),
    ...(tool.description !== undefined && { description: tool.description }),
    parameters: parsed(schema),
  }
}

function parsed(schema: unknown): unknown {
  if (typeof schema !== 'string') return schema
  try {
    return JSON.parse(schema)
  } catch {
    return undefined
  }
}
