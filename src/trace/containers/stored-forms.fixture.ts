import { AGENT, CALLS, TRACE_ID } from './two-calls.fixture.ts'

// The same three spans in the formats of different stores.

type Attributes = Readonly<Record<string, string | number>>

const SPANS = [
  { ...AGENT, parent: '', attributes: { 'gen_ai.operation.name': 'invoke_agent' } as Attributes },
  ...CALLS.map((call) => ({ ...call, parent: AGENT.id })),
]

type SpanFacts = (typeof SPANS)[number]

const nanoseconds = (ms: number) => String(BigInt(Math.round(ms * 1e3)) * 1_000n)
const iso = (ms: number) =>
  new Date(ms).toISOString().replace(/\d{3}Z$/, `${String(Math.round((ms * 1e3) % 1e6)).padStart(6, '0')}Z`)

const anyValue = (value: string | number) => (typeof value === 'string' ? { stringValue: value } : { intValue: String(value) })
const keyValues = (attributes: Attributes) => Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }))

const base64 = (id: string) => Buffer.from(id, 'hex').toString('base64')

function otlpSpan(span: SpanFacts, idOf: (hex: string) => unknown = (hex) => hex) {
  return {
    traceId: idOf(TRACE_ID),
    spanId: idOf(span.id),
    ...(span.parent !== '' && { parentSpanId: idOf(span.parent) }),
    name: span.name,
    kind: 'SPAN_KIND_CLIENT',
    startTimeUnixNano: nanoseconds(span.startMs),
    endTimeUnixNano: nanoseconds(span.startMs + span.durationMs),
    attributes: keyValues(span.attributes),
    status: {},
  }
}

const resourceSpans = (spans: readonly unknown[]) => [
  { resource: { attributes: [] }, scopeSpans: [{ scope: { name: 'porter' }, spans }] },
]

function flatSpan(span: SpanFacts) {
  return {
    name: span.name,
    context: { trace_id: `0x${TRACE_ID}`, span_id: `0x${span.id}`, trace_state: '[]' },
    kind: 'SpanKind.CLIENT',
    parent_id: span.parent === '' ? null : `0x${span.parent}`,
    start_time: iso(span.startMs),
    end_time: iso(span.startMs + span.durationMs),
    status: { status_code: 'UNSET' },
    attributes: span.attributes,
    events: [],
    resource: { attributes: { 'service.name': 'porter' } },
  }
}

export const otlpRequest = { resourceSpans: resourceSpans(SPANS.map((span) => otlpSpan(span))) }
export const otlpScope = { scope: { name: 'porter' }, spans: SPANS.map((span) => otlpSpan(span)) }
export const otlpResource = { resource: { attributes: [] }, scopeSpans: [otlpScope] }
export const otlpRequests = SPANS.map((span) => ({ resourceSpans: resourceSpans([otlpSpan(span)]) }))
export const tempoBatches = { batches: resourceSpans(SPANS.map((span) => otlpSpan(span, base64))) }
export const tempoTrace = { trace: { resourceSpans: resourceSpans(SPANS.map((span) => otlpSpan(span))) } }
export const pythonSpans = SPANS.map(flatSpan)

/** What `JSON.stringify` makes of a request that protobufjs decoded. */
export const protobufjsRequest = {
  resourceSpans: resourceSpans(
    SPANS.map((span) => {
      const long = (ms: number) => {
        const value = BigInt(nanoseconds(ms))
        return { low: Number(BigInt.asIntN(32, value)), high: Number(value >> 32n), unsigned: true }
      }
      return {
        ...otlpSpan(span, (hex) => ({ type: 'Buffer', data: [...Buffer.from(hex, 'hex')] })),
        startTimeUnixNano: long(span.startMs),
        endTimeUnixNano: long(span.startMs + span.durationMs),
      }
    }),
  ),
}

const tags = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({ key, type: typeof value === 'string' ? 'string' : 'int64', value }))

export const jaegerTraces = {
  data: [
    {
      traceID: TRACE_ID,
      spans: SPANS.map((span) => ({
        traceID: TRACE_ID,
        spanID: span.id,
        operationName: span.name,
        references: span.parent === '' ? [] : [{ refType: 'CHILD_OF', traceID: TRACE_ID, spanID: span.parent }],
        startTime: Math.round(span.startMs * 1e3),
        duration: Math.round(span.durationMs * 1e3),
        tags: [...tags(span.attributes), { key: 'span.kind', type: 'string', value: 'client' }],
        logs: [],
        processID: 'p1',
      })),
      processes: { p1: { serviceName: 'porter', tags: [] } },
    },
  ],
}

export const zipkinSpans = SPANS.map((span) => ({
  traceId: TRACE_ID,
  id: span.id,
  ...(span.parent !== '' && { parentId: span.parent }),
  name: span.name,
  kind: 'CLIENT',
  timestamp: Math.round(span.startMs * 1e3),
  duration: Math.round(span.durationMs * 1e3),
  localEndpoint: { serviceName: 'porter' },
  tags: Object.fromEntries(Object.entries(span.attributes).map(([key, value]) => [key, String(value)])),
}))

export const mlflowTrace = {
  info: { trace_id: 'tr-1' },
  data: {
    spans: SPANS.map((span) => ({
      trace_id: base64(TRACE_ID),
      span_id: base64(span.id),
      parent_span_id: span.parent === '' ? '' : base64(span.parent),
      name: span.name,
      start_time_unix_nano: nanoseconds(span.startMs),
      end_time_unix_nano: nanoseconds(span.startMs + span.durationMs),
      status: { code: 'STATUS_CODE_OK' },
      attributes: span.attributes,
    })),
  },
}

/** `{ 'a.b': 1 }` → `{ a: { b: 1 } }` */
function nest(attributes: Attributes): object {
  const nested: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(attributes)) {
    const path = key.split('.')
    const last = path.pop() ?? key
    let place = nested
    for (const part of path) {
      place[part] ??= {}
      place = place[part] as Record<string, unknown>
    }
    place[last] = value
  }
  return nested
}

export const agentOpsTrace = {
  trace_id: TRACE_ID,
  spans: SPANS.map((span) => ({
    span_id: span.id,
    trace_id: TRACE_ID,
    parent_span_id: span.parent || null,
    span_name: span.name,
    span_kind: 'CLIENT',
    start_time: iso(span.startMs),
    end_time: iso(span.startMs + span.durationMs),
    span_attributes: nest(span.attributes),
  })),
}

export const phoenixSpans = SPANS.map((span) => ({
  ...flatSpan(span),
  context: { trace_id: TRACE_ID, span_id: span.id },
  parent_id: span.parent || null,
  span_kind: span.parent === '' ? 'AGENT' : 'UNKNOWN',
  attributes: nest(span.attributes),
}))

export const phoenixFrame = SPANS.map((span) => ({
  name: span.name,
  span_kind: span.parent === '' ? 'AGENT' : 'UNKNOWN',
  parent_id: span.parent || null,
  start_time: iso(span.startMs),
  end_time: iso(span.startMs + span.durationMs),
  status_code: 'OK',
  'context.span_id': span.id,
  'context.trace_id': TRACE_ID,
  ...Object.fromEntries(Object.entries(span.attributes).map(([key, value]) => [`attributes.${key}`, value])),
}))

export const langfuseTrace = {
  trace: { id: TRACE_ID, sessionId: null },
  observations: SPANS.map((span) => ({
    id: span.id,
    traceId: TRACE_ID,
    parentObservationId: span.parent || null,
    type: span.parent === '' ? 'AGENT' : 'SPAN',
    name: span.name,
    startTime: iso(span.startMs),
    endTime: iso(span.startMs + span.durationMs),
    level: 'DEFAULT',
    metadata: JSON.stringify({
      attributes: span.attributes,
      resourceAttributes: { 'service.name': 'porter' },
      scope: { name: 'porter' },
    }),
  })),
}

/** Protobuf, field by field. */
const varint = (value: number): number[] => (value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))])
const bytesField = (field: number, bytes: Iterable<number>): number[] => {
  const list = [...bytes]
  return [...varint(field * 8 + 2), ...varint(list.length), ...list]
}
const textField = (field: number, text: string) => bytesField(field, Buffer.from(text))
const fixed64Field = (field: number, value: bigint) => [field * 8 + 1, ...new Uint8Array(new BigUint64Array([value]).buffer)]

function protobufAttribute(key: string, value: string | number): number[] {
  const any = typeof value === 'string' ? textField(1, value) : [3 * 8, ...varint(value)]
  return [...textField(1, key), ...bytesField(2, any)]
}

function protobufSpan(span: SpanFacts): number[] {
  return [
    ...bytesField(1, Buffer.from(TRACE_ID, 'hex')),
    ...bytesField(2, Buffer.from(span.id, 'hex')),
    ...(span.parent === '' ? [] : bytesField(4, Buffer.from(span.parent, 'hex'))),
    ...textField(5, span.name),
    ...[6 * 8, 3],
    ...fixed64Field(7, BigInt(nanoseconds(span.startMs))),
    ...fixed64Field(8, BigInt(nanoseconds(span.startMs + span.durationMs))),
    ...Object.entries(span.attributes).flatMap(([key, value]) => bytesField(9, protobufAttribute(key, value))),
    // A field of tomorrow.
    ...textField(99, 'unknown'),
  ]
}

function protobufRequestOf(spans: readonly SpanFacts[]): Uint8Array {
  const scope = [...bytesField(1, textField(1, 'porter')), ...spans.flatMap((span) => bytesField(2, protobufSpan(span)))]
  const resource = bytesField(1, protobufAttribute('service.name', 'porter'))
  return Uint8Array.from(bytesField(1, [...bytesField(1, resource), ...bytesField(2, scope)]))
}

export const protobufRequest = protobufRequestOf(SPANS)

/** As the collector's file exporter writes it: each message behind its length. */
export const protobufFile = Buffer.concat(
  SPANS.map((span) => {
    const message = protobufRequestOf([span])
    const length = Buffer.alloc(4)
    length.writeUInt32BE(message.length)
    return Buffer.concat([length, message])
  }),
)

/** A log record of the second call, by itself. */
export const protobufLogs = Uint8Array.from(
  bytesField(
    1,
    bytesField(
      2,
      bytesField(2, [
        ...fixed64Field(1, BigInt(nanoseconds(AGENT.startMs))),
        ...bytesField(9, Buffer.from(TRACE_ID, 'hex')),
        ...bytesField(10, Buffer.from(SPANS[2]?.id ?? '', 'hex')),
      ]),
    ),
  ),
)
