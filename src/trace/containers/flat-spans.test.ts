import { expect, test } from 'vitest'
import { FileReport } from '../file-report.ts'
import { EPOCH_MS } from '../trace.fixture.ts'
import { flatSpans } from './flat-spans.ts'

function read(document: object, onInvalidTrace: 'fail' | 'skip' = 'fail') {
  const report = new FileReport('file', onInvalidTrace)
  const { session, spans } = flatSpans.read(document, report)
  const warnings: string[] = []
  const read = [...spans]
  report.flush(({ message }) => warnings.push(message))
  return { session, spans: read, warnings }
}

const one = (span: object) => read({ spans: [{ span_id: 'a', ...span }] }).spans[0]

test('is told by a list of spans', () => {
  expect(flatSpans.recognises({ spans: [] })).toBe(true)
  for (const other of [{ spans: {} }, { resourceSpans: [] }, [], null, 'spans']) expect(flatSpans.recognises(other)).toBe(false)
})

test('reads a span in the spelling of data sets', () => {
  const span = {
    trace_id: 'T',
    span_id: 'a',
    parent_span_id: 'b',
    name: 'chat',
    kind: 'SPAN_KIND_CLIENT',
    start_time: '2026-01-02T03:04:05.000250',
    end_time: '2026-01-02T03:04:06',
    status: { code: 2, message: 'no' },
    attributes: { a: 'x', b: 1, c: true, d: ['y'], e: { f: null } },
    resource_attributes: { 'service.name': 's' },
    events: [{ name: 'e', timestamp: '2026-01-02T03:04:05Z', attributes: { g: 1 } }],
  }
  const [read_] = read({ spans: [span] }).spans
  expect(read_).toMatchObject({
    id: 'a',
    traceId: 'T',
    parentId: 'b',
    name: 'chat',
    kind: 'client',
    status: { code: 'error', message: 'no' },
  })
  expect(read_?.startMs).toBeCloseTo(EPOCH_MS + 0.25, 3)
  expect(read_?.endMs).toBe(EPOCH_MS + 1_000)
  expect([...(read_?.attributes ?? [])]).toEqual(Object.entries(span.attributes))
  expect(read_?.resource.get('service.name')).toBe('s')
  expect(read_?.events).toMatchObject([{ name: 'e', timeMs: EPOCH_MS, attributes: new Map([['g', 1]]) }])
})

test('reads a span in the spelling of the Python SDK', () => {
  const span = one({
    context: { trace_id: '0xD422EF03E2FE8B31D4C191C4B33E730A', span_id: '0x62E76356F226E033' },
    parent_id: '0x40fc044e890a04f5',
    kind: 'SpanKind.CLIENT',
    status: { status_code: 'ERROR', description: 'no' },
    resource: { attributes: { a: 1 } },
  })
  expect(span).toMatchObject({
    id: '62e76356f226e033',
    traceId: 'd422ef03e2fe8b31d4c191c4b33e730a',
    parentId: '40fc044e890a04f5',
    kind: 'client',
    status: { code: 'error', message: 'no' },
    resource: new Map([['a', 1]]),
  })
})

test('attributes without a value are not there', () => {
  const span = one({ attributes: { a: null, b: '', c: [], d: {}, e: 0, f: false } })
  expect([...(span?.attributes.keys() ?? [])]).toEqual(['e', 'f'])
})

test.each<[string, unknown]>([
  ['pairs', [{ key: 'a', value: 1 }, { key: 'b', value: null }, 7]],
  ['JSON text', '{"a":1}'],
])('attributes may be %s', (_, attributes) => {
  expect(one({ attributes })?.attributes).toEqual(new Map([['a', 1]]))
})

test.each([null, 42, 'text', '{"a":', '"text"', true])('attributes that are %j are none', (attributes) => {
  expect(one({ attributes })?.attributes.size).toBe(0)
})

test('times that are missing or no times are NaN', () => {
  expect(one({ start_time: null, end_time: 'soon' })).toMatchObject({ startMs: Number.NaN, endMs: Number.NaN })
})

test('a key named __proto__ is a key', () => {
  const span = one({ attributes: JSON.parse('{"__proto__":{"polluted":true}}') })
  expect([...(span?.attributes.keys() ?? [])]).toEqual(['__proto__'])
  expect({}).not.toHaveProperty('polluted')
})

test('the document is one session, named by itself', () => {
  expect(read({ session_id: 's', trace_id: 't', harness: 'h', spans: [] }).session).toMatchObject({
    id: 's',
    attributes: new Map([
      ['session_id', 's'],
      ['trace_id', 't'],
      ['harness', 'h'],
    ]),
  })
  expect(read({ spans: [] }).session?.id).toBe('')
})

test('a span that is none is refused by its place, and its neighbours are read', () => {
  const document = { spans: [{ span_id: 'a' }, null, { name: 'x' }, [], { span_id: 'b' }] }
  expect(() => read(document)).toThrow('file: spans[1]: Found null, expected an object.')
  const { spans, warnings } = read(document, 'skip')
  expect(spans.map(({ id }) => id)).toEqual(['a', 'b'])
  expect(warnings).toEqual([
    'spans[1]: Found null, expected an object.',
    'spans[2]: The span has no span_id.',
    'spans[3]: Found an empty list, expected an object.',
  ])
})
