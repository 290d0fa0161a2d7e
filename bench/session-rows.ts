import { createHash } from 'node:crypto'
import type { JsonObject } from '../src/message/index.ts'

export interface RowOptions {
  readonly sessions: number
  readonly callsPerSession: number
  /** Length of an average tool result. */
  readonly toolResultBytes: number
}

/**
 * Rows of a data set of agent sessions: in each a coding agent calls tools in a loop, and every call repeats the history of
 * the one before. Same options, same rows.
 */
export function* sessionRows({ sessions, callsPerSession, toolResultBytes }: RowOptions): Generator<JsonObject> {
  for (let session = 0; session < sessions; session++) yield sessionRow(session, callsPerSession, toolResultBytes)
}

function sessionRow(session: number, calls: number, toolResultBytes: number): JsonObject {
  const id = digest(`session ${session}`, 32)
  const random = seeded(session + 1)
  const startMs = Date.UTC(2026, 2, 1) + session * 60_000
  const model = MODELS[session % MODELS.length]
  const messages: JsonObject[] = [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: `Ticket ${session}: ${prose(random, 600)}` },
  ]
  const rootId = digest(`${id} root`, 16)
  const spans: JsonObject[] = [
    span(id, rootId, null, 'swe session', startMs, startMs + calls * 4_000, { 'gen_ai.operation.name': 'invoke_agent' }),
  ]
  for (let call = 0; call < calls; call++) {
    const beginMs = startMs + call * 4_000
    const toolCall = {
      id: `call_${digest(`${id} ${call}`, 20)}`,
      name: pick(random, TOOL_NAMES),
      arguments: JSON.stringify({ path: `src/${word(random)}/${word(random)}.ts`, query: prose(random, 60) }),
    }
    const last = call === calls - 1
    const said = prose(random, last ? 800 : 160)
    const parts = [{ type: 'text', content: said }, ...(last ? [] : [{ type: 'tool_call', ...toolCall }])]
    spans.push(
      span(id, digest(`${id} chat ${call}`, 16), rootId, `chat ${model}`, beginMs, beginMs + 2_000, {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': model,
        'gen_ai.request.max_tokens': 4_096n,
        'gen_ai.request.temperature': 0.2,
        'gen_ai.response.finish_reasons': [last ? 'stop' : 'tool_calls'],
        'gen_ai.usage.input_tokens': BigInt(1_500 + call * 300),
        'gen_ai.usage.output_tokens': BigInt(40 + (said.length >> 2)),
        'gen_ai.input.messages': JSON.stringify(messages),
        'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts, finish_reason: last ? 'stop' : 'tool_calls' }]),
        'gen_ai.tool.definitions': TOOLS,
      }),
    )
    if (last) break
    const { id: callId, name, arguments: args } = toolCall
    const result = prose(random, Math.round(toolResultBytes * (0.4 + 1.2 * random())))
    messages.push(
      { role: 'assistant', content: said, tool_calls: [{ id: callId, type: 'function', function: { name, arguments: args } }] },
      { role: 'tool', tool_call_id: callId, content: result },
    )
    spans.push(
      span(id, digest(`${id} tool ${call}`, 16), rootId, `execute_tool ${name}`, beginMs + 2_000, beginMs + 3_500, {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': name,
        'gen_ai.tool.parameters': args,
        'gen_ai.tool.result': result,
      }),
    )
  }
  return {
    session_id: id,
    source_id: `ticket-${session}`,
    harness: 'generated',
    benchmark: 'tickets',
    models: [model],
    max_tokens: BigInt(1_500 + calls * 300),
    total_tokens: BigInt(calls * 3_000),
    spans,
  }
}

function span(
  traceId: string,
  spanId: string,
  parentId: string | null,
  name: string,
  startMs: number,
  endMs: number,
  attributes: JsonObject,
): JsonObject {
  return {
    trace_id: traceId,
    span_id: spanId,
    parent_span_id: parentId,
    name,
    kind: name.startsWith('chat') ? 'SPAN_KIND_CLIENT' : 'SPAN_KIND_INTERNAL',
    start_time: new Date(startMs).toISOString(),
    end_time: new Date(endMs).toISOString(),
    attributes,
    status: { code: 'STATUS_CODE_OK', message: '' },
    resource_attributes: { 'service.name': 'generated' },
  }
}

const MODELS = ['gpt-4.1', 'claude-sonnet-4', 'qwen3-coder']
const TOOL_NAMES = ['read_file', 'search_code', 'run_tests', 'edit_file']
const WORDS =
  'the cache returns stale entries after a rename because its key lacks version tests fail on windows path separator parser token stream config loader retry queue worker handler schema index buffer and when of in is not with for build module import export type value error line function'.split(
    ' ',
  )

const SYSTEM = prose(seeded(7), 2_000)
const TOOLS = JSON.stringify(
  TOOL_NAMES.map((name) => ({
    type: 'function',
    function: {
      name,
      description: `Use ${name} to work on the repository.`,
      parameters: { type: 'object', properties: { path: { type: 'string' }, query: { type: 'string' } }, required: ['path'] },
    },
  })),
)

function prose(random: () => number, length: number): string {
  let text = ''
  while (text.length < length) text += `${word(random)}${random() < 0.08 ? `(${Math.floor(random() * 1e6)});\n` : ' '}`
  return text
}

function word(random: () => number): string {
  return pick(random, WORDS)
}

function pick(random: () => number, from: readonly string[]): string {
  return from[Math.floor(random() * from.length)] ?? ''
}

function digest(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length)
}

/** A small generator of numbers in [0, 1) that a seed determines. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
