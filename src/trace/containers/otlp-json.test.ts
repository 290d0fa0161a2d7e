import { expect, test } from 'vitest'
import { FileReport } from '../file-report.ts'
import { anyValue } from '../trace.fixture.ts'
import { readAnyValue } from './any-value.ts'
import { otlpJson } from './otlp-json.ts'

const TRACE = 'd422ef03e2fe8b31d4c191c4b33e730a'
const SPAN = '62e76356f226e033'

function read(document: object, onInvalidTrace: 'fail' | 'skip' = 'fail') {
  const report = new FileReport('file', onInvalidTrace)
  const batch = otlpJson.read(document, report)
  return { session: batch.session, spans: [...batch.spans], logs: [...batch.logs] }
}

const one = (span: object) => read({ resourceSpans: [{ scopeSpans: [{ spans: [{ spanId: SPAN, ...span }] }] }] }).spans[0]

test('is told by its resources', () => {
  expect([{ resourceSpans: [] }, { resourceLogs: [] }].every(otlpJson.recognises)).toBe(true)
  expect([{ spans: [] }, { resourceSpans: {} }, [], null].some(otlpJson.recognises)).toBe(false)
})

test('reads a span with its scope and resource', () => {
  const span = {
    traceId: TRACE,
    spanId: SPAN,
    parentSpanId: '40FC044E890A04F5',
    name: 'chat',
    kind: 3,
    startTimeUnixNano: '1795977405850000001',
    endTimeUnixNano: '1795977405937961056',
    status: { code: 'STATUS_CODE_ERROR', message: 'no' },
    attributes: [{ key: 'a', value: { stringValue: 'x' } }],
    events: [{ name: 'e', timeUnixNano: '1795977405850000000', attributes: [{ key: 'b', value: { intValue: 1 } }] }],
  }
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 's' } }] }
  const { session, spans } = read({ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'lib' }, spans: [span] }] }] })
  expect(session).toBeUndefined()
  expect(spans).toMatchObject([
    {
      id: SPAN,
      traceId: TRACE,
      parentId: '40fc044e890a04f5',
      name: 'chat',
      scope: 'lib',
      kind: 'client',
      status: { code: 'error', message: 'no' },
      attributes: new Map([['a', 'x']]),
      resource: new Map([['service.name', 's']]),
      events: [{ name: 'e', attributes: new Map([['b', 1]]) }],
    },
  ])
  const [first] = spans
  expect((first?.endMs ?? 0) - (first?.startMs ?? 0)).toBeCloseTo(87.961, 3)
})

test('reads the form from before scopes', () => {
  const { spans } = read({
    resourceSpans: [{ instrumentationLibrarySpans: [{ instrumentationLibrary: { name: 'lib' }, spans: [{ spanId: SPAN }] }] }],
  })
  expect(spans).toMatchObject([{ id: SPAN, scope: 'lib' }])
})

test('ids may be base64', () => {
  const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64')
  expect(one({ traceId: base64(TRACE), spanId: base64(SPAN), parentSpanId: base64(SPAN) })).toMatchObject({
    traceId: TRACE,
    id: SPAN,
    parentId: SPAN,
  })
})

test.each([
  [3, 'client'],
  ['SPAN_KIND_SERVER', 'server'],
  [0, 'unspecified'],
  [99, 'unspecified'],
  [null, 'unspecified'],
])('kind %j is %s', (kind, name) => {
  expect(one({ kind })?.kind).toBe(name)
})

test.each([
  [{ code: 1 }, 'ok'],
  [{ code: 'STATUS_CODE_OK' }, 'ok'],
  [{ code: 'STATUS_CODE_UNSET' }, 'unset'],
  [{}, 'unset'],
  [null, 'unset'],
])('status %j is %s', (status, code) => {
  expect(one({ status })?.status.code).toBe(code)
})

test.each<[object | null, unknown]>([
  [{ stringValue: 'x' }, 'x'],
  [{ stringValue: '' }, ''],
  [{ intValue: '42' }, 42],
  [{ intValue: -42 }, -42],
  [{ intValue: '9007199254740993' }, '9007199254740993'],
  [{ intValue: 'many' }, null],
  [{ doubleValue: 0.5 }, 0.5],
  [{ boolValue: false }, false],
  [{ bytesValue: 'AAEC' }, 'AAEC'],
  [{ arrayValue: { values: [{ intValue: 1 }, {}, { arrayValue: { values: [{ stringValue: 'x' }] } }] } }, [1, null, ['x']]],
  [{ arrayValue: {} }, []],
  [anyValue({ a: { b: [1, 'x', null] } }), { a: { b: [1, 'x', null] } }],
  [{ kvlistValue: {} }, {}],
  [{}, null],
  [null, null],
])('value %j is %j', (value, expected) => {
  expect(readAnyValue(value)).toEqual(expected)
})

test('a key named __proto__ is a key, and depth has a bound', () => {
  const value = readAnyValue(anyValue(JSON.parse('{"__proto__":{"polluted":true}}')))
  expect(Object.keys(value as object)).toEqual(['__proto__'])
  expect({}).not.toHaveProperty('polluted')
  const list = `${'{"arrayValue":{"values":['.repeat(20_000)}{}${']}}'.repeat(20_000)}`
  expect(readAnyValue(JSON.parse(list))).toBeInstanceOf(Array)
})

test('log records name their span; the event name is a field or an attribute', () => {
  const records = [
    { traceId: TRACE, spanId: SPAN, eventName: 'e1', timeUnixNano: '1795977405850000000', body: anyValue({ content: 'x' }) },
    {
      traceId: TRACE,
      spanId: SPAN,
      attributes: [{ key: 'event.name', value: { stringValue: 'e2' } }],
      observedTimeUnixNano: '1795977405850000000',
    },
  ]
  const { spans, logs } = read({ resourceLogs: [{ scopeLogs: [{ logRecords: records }] }] })
  expect(spans).toEqual([])
  expect(logs).toMatchObject([
    { traceId: TRACE, spanId: SPAN, name: 'e1', body: { content: 'x' } },
    { traceId: TRACE, spanId: SPAN, name: 'e2', body: null },
  ])
  expect(logs[0]?.timeMs).toBe(logs[1]?.timeMs)
})

test('a span that is none is refused by its place, and its neighbours are read', () => {
  const document = { resourceSpans: [null, { scopeSpans: [{ spans: [{ spanId: SPAN }, 7, { name: 'x' }] }] }] }
  expect(() => read(document)).toThrow('file: resourceSpans[1].scopeSpans[0].spans[1]: Found the number 7, expected an object.')
  expect(read(document, 'skip').spans.map(({ id }) => id)).toEqual([SPAN])
})
