/**
 * Coding sessions as recorders write them: each call repeats the whole history, messages are JSON text inside the JSON of the
 * file. Seeded: the same options give the same bytes.
 */
import { mulberry32, prose, sourceText } from './synthetic-text.ts'

export interface SyntheticOptions {
  readonly calls: number
  readonly seed: number
  readonly container: 'flat spans' | 'OTLP/JSON'
}

export interface SyntheticTrace {
  readonly file: Uint8Array
  /** The JSON texts of messages inside the file: what a reader that repeats itself would parse besides the file. */
  readonly messageTexts: readonly string[]
  /** UTF-8 bytes of all that is said in the session, each thing once. */
  readonly distinctBytes: number
}

interface Part {
  readonly type: string
  readonly [key: string]: unknown
}

interface Message {
  readonly role: string
  readonly parts: readonly Part[]
}

export function syntheticTrace({ calls, seed, container }: SyntheticOptions): SyntheticTrace {
  const random = mulberry32(seed)
  const tools = JSON.stringify(toolDefinitions(random))
  const history: Message[] = [
    { role: 'system', parts: [{ type: 'text', content: prose(random, 9_000) }] },
    { role: 'user', parts: [{ type: 'text', content: prose(random, 600) }] },
  ]
  const spans: Record<string, unknown>[] = []
  const messageTexts: string[] = []
  let startMs = 1_780_000_000_000
  for (let index = 0; index < calls; index++) {
    const output = assistantTurn(random, index)
    const input = JSON.stringify(history)
    const outputText = JSON.stringify([{ ...output, finish_reason: 'tool_call' }])
    messageTexts.push(input, outputText)
    const endMs = startMs + 2_000 + Math.floor(random() * 6_000)
    spans.push(span(index, startMs, endMs, input, outputText, tools))
    history.push(output, toolTurn(random, index))
    startMs = endMs + 200 + Math.floor(random() * 2_000)
  }
  const document = container === 'flat spans' ? { trace_id: 'coding-session', spans } : otlp(spans)
  const distinctBytes = history.reduce((sum, { parts }) => sum + Buffer.byteLength(parts.map(textOf).join('')), 0)
  return { file: Buffer.from(JSON.stringify(document)), messageTexts, distinctBytes }
}

function assistantTurn(random: () => number, index: number): Message {
  return {
    role: 'assistant',
    parts: [
      { type: 'text', content: prose(random, 200) },
      {
        type: 'tool_call',
        id: `call_${index}`,
        name: 'edit_file',
        arguments: { path: `src/module-${index}.ts`, text: sourceText(random, 900) },
      },
    ],
  }
}

function toolTurn(random: () => number, index: number): Message {
  return { role: 'tool', parts: [{ type: 'tool_call_response', id: `call_${index}`, response: sourceText(random, 4_200) }] }
}

function span(index: number, startMs: number, endMs: number, input: string, output: string, tools: string) {
  return {
    trace_id: '5b8efff798038103d269b633813fc60c',
    span_id: (0x1000_0000_0000_0000n + BigInt(index)).toString(16),
    parent_span_id: 'eee19b7ec3c1b174',
    name: 'chat some-model',
    kind: 'SPAN_KIND_CLIENT',
    start_time: new Date(startMs).toISOString(),
    end_time: new Date(endMs).toISOString(),
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'some-model',
      'gen_ai.input.messages': input,
      'gen_ai.output.messages': output,
      'gen_ai.tool.definitions': tools,
      'gen_ai.usage.input_tokens': Math.floor(input.length / 4),
      'gen_ai.usage.output_tokens': Math.floor(output.length / 4),
    },
    status: { code: 1 },
  }
}

function otlp(spans: readonly Record<string, unknown>[]) {
  const nanoseconds = (time: unknown) => `${Date.parse(String(time))}000000`
  const anyValue = (value: unknown) => (typeof value === 'number' ? { intValue: String(value) } : { stringValue: value })
  const converted = spans.map(({ trace_id, span_id, parent_span_id, start_time, end_time, attributes, ...rest }) => ({
    ...rest,
    traceId: trace_id,
    spanId: span_id,
    parentSpanId: parent_span_id,
    startTimeUnixNano: nanoseconds(start_time),
    endTimeUnixNano: nanoseconds(end_time),
    attributes: Object.entries(attributes as object).map(([key, value]) => ({ key, value: anyValue(value) })),
  }))
  return { resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ scope: { name: 'synthetic' }, spans: converted }] }] }
}

function toolDefinitions(random: () => number) {
  return ['read_file', 'edit_file', 'run', 'search'].map((name) => ({
    type: 'function',
    name,
    description: prose(random, 300),
    parameters: { type: 'object', properties: { path: { type: 'string' }, text: { type: 'string' } }, required: ['path'] },
  }))
}

function textOf({ content, response, arguments: args }: Part): string {
  return String(content ?? response ?? JSON.stringify(args))
}
