import { createHash } from 'node:crypto'
import type { JsonObject } from '../../message/index.ts'

/** A row as JSON has it. */
export interface SessionRow extends JsonObject {
  readonly session_id: string
  readonly spans: readonly SpanRow[]
}

export interface SpanRow extends JsonObject {
  readonly attributes: JsonObject
}

const TOOLS = JSON.stringify([
  {
    type: 'function',
    function: {
      name: 'find_order',
      description: 'Looks an order up.',
      parameters: { type: 'object', properties: { order: { type: 'string' }, page: { type: 'integer' } }, required: ['order'] },
    },
  },
])

export interface RowOptions {
  readonly calls?: number
}

/**
 * A session as data sets of agent traces hold it, a row: an agent that calls a tool between its calls, each call with the
 * history of the one before.
 */
export function sessionRow(id: string, { calls = 3 }: RowOptions = {}): SessionRow {
  const trace = hex(id, 32)
  const root = hex(`${id} root`, 16)
  const startMs = Date.UTC(2026, 0, 5, 9)
  const messages: JsonObject[] = [
    { role: 'system', content: 'You answer questions about orders.' },
    { role: 'user', content: `Where is order ${id}?` },
  ]
  const spans = [span(trace, root, null, 'support session', startMs, calls * 2_000, { 'gen_ai.operation.name': 'invoke_agent' })]
  for (let call = 0; call < calls; call++) {
    const last = call === calls - 1
    const toolCall = {
      id: `call_${hex(`${id} ${call}`, 8)}`,
      name: 'find_order',
      arguments: JSON.stringify({ order: id, page: call }),
    }
    const said = last ? `Order ${id} arrives on Tuesday – Zürich, 東京.` : `Looking at page ${call}.`
    const parts = [{ type: 'text', content: said }, ...(last ? [] : [{ type: 'tool_call', ...toolCall }])]
    const beginMs = startMs + call * 2_000
    spans.push(
      span(trace, hex(`${id} chat ${call}`, 16), root, 'chat gpt-4.1', beginMs, 1_000, {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'gpt-4.1',
        'gen_ai.request.temperature': 0.5,
        'gen_ai.request.max_tokens': 512,
        'gen_ai.response.finish_reasons': [last ? 'stop' : 'tool_calls'],
        'gen_ai.usage.input_tokens': 100 + call,
        'gen_ai.usage.output_tokens': 20,
        'gen_ai.input.messages': JSON.stringify(messages),
        'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts, finish_reason: last ? 'stop' : 'tool_calls' }]),
        'gen_ai.tool.definitions': TOOLS,
      }),
    )
    if (last) break
    const { id: callId, name, arguments: args } = toolCall
    const result = `Page ${call} of order ${id}: nothing yet.`
    messages.push(
      { role: 'assistant', content: said, tool_calls: [{ id: callId, type: 'function', function: { name, arguments: args } }] },
      { role: 'tool', tool_call_id: callId, content: result },
    )
    spans.push(
      span(trace, hex(`${id} tool ${call}`, 16), root, 'execute_tool find_order', beginMs + 1_000, 500, {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': name,
        'gen_ai.tool.parameters': args,
        'gen_ai.tool.result': result,
      }),
    )
  }
  return {
    session_id: id,
    source_id: `ticket ${id}`,
    harness: 'generated',
    benchmark: 'orders',
    models: ['gpt-4.1'],
    max_tokens: 512,
    total_tokens: calls * 120,
    spans,
  }
}

export function sessionRows(count: number, options?: RowOptions): SessionRow[] {
  return Array.from({ length: count }, (_, index) => sessionRow(`order-${index + 1}`, options))
}

function span(
  trace: string,
  id: string,
  parent: string | null,
  name: string,
  startMs: number,
  durationMs: number,
  attributes: JsonObject,
): SpanRow {
  return {
    trace_id: trace,
    span_id: id,
    parent_span_id: parent,
    name,
    kind: name.startsWith('chat') ? 'SPAN_KIND_CLIENT' : 'SPAN_KIND_INTERNAL',
    start_time: new Date(startMs).toISOString(),
    end_time: new Date(startMs + durationMs).toISOString(),
    attributes,
    status: { code: 'STATUS_CODE_OK', message: '' },
    resource_attributes: { 'service.name': 'generated' },
  }
}

function hex(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length)
}
