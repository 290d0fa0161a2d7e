import type { Encoding } from './encoding.ts'
import { BrokenProtobuf, ProtobufReader } from './protobuf-reader.ts'

// Field numbers are those of opentelemetry-proto (trace/v1, logs/v1, common/v1, resource/v1). Only what a reader of spans
// wants is taken; the rest is skipped.

type Json = Record<string, unknown>

const RESOURCE_ITEM_TAG = 0x0a

/**
 * OTLP's protobuf form: an export request of spans or of log records, alone or each behind its length, as the collector's file
 * exporter writes them. Documents are what the same request is in OTLP/JSON.
 */
export const otlpProtobuf: Encoding = {
  name: 'OTLP protobuf',
  recognises: (bytes) => isRequest(bytes, 0, bytes.length) || lengthAt(bytes, 0) !== undefined,
  *documents(bytes, report) {
    try {
      if (isRequest(bytes, 0, bytes.length)) {
        yield readRequest(new ProtobufReader(bytes))
        return
      }
      for (let at = 0; at < bytes.length; ) {
        const length = lengthAt(bytes, at)
        if (length === undefined) throw new BrokenProtobuf(at, 'a message that is cut off or no export request')
        yield readRequest(new ProtobufReader(bytes, at + 4, at + 4 + length))
        at += 4 + length
      }
    } catch (error) {
      if (!(error instanceof BrokenProtobuf)) throw error
      report.refuse('UNREADABLE_TRACE', `The OTLP protobuf is broken at ${error.message}. Copy or export the file again.`)
    }
  },
}

/** Nothing but repetitions of field 1, each beginning as a resource with spans or logs does: text never looks like that. */
function isRequest(bytes: Uint8Array, start: number, end: number): boolean {
  if (bytes[start] !== RESOURCE_ITEM_TAG) return false
  const reader = new ProtobufReader(bytes, start, end)
  try {
    for (let field = reader.next(); field !== undefined; field = reader.next()) {
      if (field !== 1 || reader.wire !== 2) return false
      const [first] = reader.bytes()
      if (first !== undefined && first !== 0x0a && first !== 0x12 && first !== 0x1a) return false
    }
    return true
  } catch {
    return false
  }
}

/** The length of a message behind its four-byte length, where there is one. */
function lengthAt(bytes: Uint8Array, at: number): number | undefined {
  if (at + 5 > bytes.length) return undefined
  const length = new DataView(bytes.buffer, bytes.byteOffset + at, 4).getUint32(0)
  const end = at + 4 + length
  return length > 0 && end <= bytes.length && isRequest(bytes, at + 4, end) ? length : undefined
}

/** Spans and logs come in requests of the same outline; the first field of their innermost messages tells them apart. */
function readRequest(reader: ProtobufReader): Json {
  const resourceSpans: Json[] = []
  const resourceLogs: Json[] = []
  each(reader, (field, message) => {
    if (field !== 1) return message.skip()
    const { logs, item } = readResourceItem(message.message())
    ;(logs ? resourceLogs : resourceSpans).push(item)
  })
  return { ...(resourceSpans.length > 0 && { resourceSpans }), ...(resourceLogs.length > 0 && { resourceLogs }) }
}

function readResourceItem(reader: ProtobufReader): { logs: boolean; item: Json } {
  const scopeSpans: Json[] = []
  const scopeLogs: Json[] = []
  let resource: Json = {}
  each(reader, (field, message) => {
    if (field === 1) resource = { attributes: readAttributeList(message.message(), 1) }
    else if (field === 2) {
      const { logs, item } = readScopeItem(message.message())
      ;(logs ? scopeLogs : scopeSpans).push(item)
    } else message.skip()
  })
  return { logs: scopeLogs.length > 0, item: { resource, scopeSpans, scopeLogs } }
}

function readScopeItem(reader: ProtobufReader): { logs: boolean; item: Json } {
  const spans: Json[] = []
  const logRecords: Json[] = []
  let scope: Json = {}
  each(reader, (field, message) => {
    if (field === 1) scope = { name: textField(message.message(), 1) }
    else if (field === 2) {
      const bytes = message.bytes()
      // A span begins with its trace id, a length and bytes; a log record with its time, eight bytes.
      if ((bytes[0] ?? 0) === 0x0a) spans.push(readSpan(new ProtobufReader(bytes)))
      else logRecords.push(readLogRecord(new ProtobufReader(bytes)))
    } else message.skip()
  })
  return { logs: logRecords.length > 0, item: { scope, spans, logRecords } }
}

function readSpan(reader: ProtobufReader): Json {
  const attributes: Json[] = []
  const events: Json[] = []
  const span: Json = { attributes, events }
  each(reader, (field, message) => {
    if (field === 1) span.traceId = hex(message.bytes())
    else if (field === 2) span.spanId = hex(message.bytes())
    else if (field === 4) span.parentSpanId = hex(message.bytes())
    else if (field === 5) span.name = message.text()
    else if (field === 6) span.kind = Number(message.varint())
    else if (field === 7) span.startTimeUnixNano = String(message.fixed64())
    else if (field === 8) span.endTimeUnixNano = String(message.fixed64())
    else if (field === 9) attributes.push(readKeyValue(message.message(), 0))
    else if (field === 10) span.droppedAttributesCount = Number(message.varint())
    else if (field === 11) events.push(readEvent(message.message()))
    else if (field === 15) span.status = readStatus(message.message())
    else message.skip()
  })
  return span
}

function readEvent(reader: ProtobufReader): Json {
  const attributes: Json[] = []
  const event: Json = { attributes }
  each(reader, (field, message) => {
    if (field === 1) event.timeUnixNano = String(message.fixed64())
    else if (field === 2) event.name = message.text()
    else if (field === 3) attributes.push(readKeyValue(message.message(), 0))
    else message.skip()
  })
  return event
}

function readStatus(reader: ProtobufReader): Json {
  const status: Json = {}
  each(reader, (field, message) => {
    if (field === 2) status.message = message.text()
    else if (field === 3) status.code = Number(message.varint())
    else message.skip()
  })
  return status
}

function readLogRecord(reader: ProtobufReader): Json {
  const attributes: Json[] = []
  const record: Json = { attributes }
  each(reader, (field, message) => {
    if (field === 1) record.timeUnixNano = String(message.fixed64())
    else if (field === 11) record.observedTimeUnixNano = String(message.fixed64())
    else if (field === 5) record.body = readAnyValue(message.message(), 0)
    else if (field === 6) attributes.push(readKeyValue(message.message(), 0))
    else if (field === 9) record.traceId = hex(message.bytes())
    else if (field === 10) record.spanId = hex(message.bytes())
    else if (field === 12) record.eventName = message.text()
    else message.skip()
  })
  return record
}

function readAttributeList(reader: ProtobufReader, wanted: number): Json[] {
  const attributes: Json[] = []
  each(reader, (field, message) => {
    if (field === wanted) attributes.push(readKeyValue(message.message(), 0))
    else message.skip()
  })
  return attributes
}

function readKeyValue(reader: ProtobufReader, depth: number): Json {
  const pair: Json = {}
  each(reader, (field, message) => {
    if (field === 1) pair.key = message.text()
    else if (field === 2) pair.value = readAnyValue(message.message(), depth)
    else message.skip()
  })
  return pair
}

/** Deeper nesting than any recorder writes; the rest of it counts as missing. */
const DEEPEST = 100

function readAnyValue(reader: ProtobufReader, depth: number): Json {
  let value: Json = {}
  if (depth > DEEPEST) return value
  each(reader, (field, message) => {
    if (field === 1) value = { stringValue: message.text() }
    else if (field === 2) value = { boolValue: message.varint() !== 0n }
    else if (field === 3) value = { intValue: String(message.varint()) }
    else if (field === 4) value = { doubleValue: message.double() }
    else if (field === 5) value = { arrayValue: { values: readValues(message.message(), depth) } }
    else if (field === 6) value = { kvlistValue: { values: readPairs(message.message(), depth) } }
    else if (field === 7) value = { bytesValue: Buffer.from(message.bytes()).toString('base64') }
    else message.skip()
  })
  return value
}

function readValues(reader: ProtobufReader, depth: number): Json[] {
  const values: Json[] = []
  each(reader, (field, message) => {
    if (field === 1) values.push(readAnyValue(message.message(), depth + 1))
    else message.skip()
  })
  return values
}

function readPairs(reader: ProtobufReader, depth: number): Json[] {
  const pairs: Json[] = []
  each(reader, (field, message) => {
    if (field === 1) pairs.push(readKeyValue(message.message(), depth + 1))
    else message.skip()
  })
  return pairs
}

function textField(reader: ProtobufReader, wanted: number): string {
  let text = ''
  each(reader, (field, message) => {
    if (field === wanted) text = message.text()
    else message.skip()
  })
  return text
}

function each(reader: ProtobufReader, visit: (field: number, message: ProtobufReader) => void): void {
  for (let field = reader.next(); field !== undefined; field = reader.next()) visit(field, reader)
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}
