import { expect, test } from 'vitest'
import * as stored from './stored-forms.fixture.ts'
import { EXPECTED, outline, read } from './two-calls.fixture.ts'

test.each([
  ['OTLP/JSON', stored.otlpRequest],
  ['OTLP/JSON that protobufjs decoded', stored.protobufjsRequest],
  ['OTLP/JSON, the spans of a resource', stored.otlpResource],
  ['OTLP/JSON, the spans of a scope', stored.otlpScope],
  ['OTLP/JSON, a list of spans', stored.otlpScope.spans],
  ['a list of OTLP/JSON requests', stored.otlpRequests],
  ['a list of the spans of resources', stored.otlpRequests.flatMap((request) => request.resourceSpans)],
  ['a list of Tempo traces', [stored.tempoTrace]],
  ['Tempo, ids in base64', stored.tempoBatches],
  ['Tempo, second API', stored.tempoTrace],
  ['Jaeger', stored.jaegerTraces],
  ['one Jaeger trace by itself', stored.jaegerTraces.data[0]],
  ['Zipkin', stored.zipkinSpans],
  ['Zipkin, list of traces', [stored.zipkinSpans]],
  ['a list of spans', stored.pythonSpans],
  ['flat spans', { spans: stored.pythonSpans }],
  ['MLflow', stored.mlflowTrace],
  ['AgentOps', stored.agentOpsTrace],
  ['Phoenix', stored.phoenixSpans],
  ['Phoenix over REST', { data: stored.phoenixSpans }],
  ['Phoenix data frame', stored.phoenixFrame],
  ['Langfuse', stored.langfuseTrace],
  ['Langfuse, observations alone', stored.langfuseTrace.observations],
])('%s gives the same two calls', (_, document) => {
  const { sessions, warnings } = read(document)
  expect(outline(sessions)).toEqual(EXPECTED)
  expect(warnings).toEqual([])
})

test.each([
  ['Jaeger', { data: [{ traceID: 'a', spans: [7, {}], processes: {} }] }, /data\[0\]\.spans\[0\]: Found the number 7/],
  ['Zipkin', [stored.zipkinSpans[0], 7], /\[1\]: Expected a span with an id/],
  ['MLflow', { info: {}, data: { spans: [null] } }, /spans\[0\]: Found null/],
  ['Langfuse', { trace: {}, observations: [stored.langfuseTrace.observations[0], 'x'] }, /observations\[1\]/],
])('%s with a span that is none: the error names its place', (_, document, message) => {
  expect(() => read(document)).toThrow(
    expect.objectContaining({ code: 'INVALID_TRACE', message: expect.stringMatching(message) }),
  )
})

test('a document of no known kind is told from its outline, beside what would have been one', () => {
  expect(() => read({ hello: 1, world: 2 })).toThrow(
    /Not a known kind of trace: found an object with the keys "hello", "world", expected one of: OTLP\/JSON/,
  )
})

test('a list of traces with something else in it: the error names its place', () => {
  expect(() => read([stored.otlpRequest, { hello: 1 }])).toThrow(/\[1\]: Not a known kind of trace: found an object with the key/)
})

test('OTLP spans one per line', () => {
  const { sessions, warnings } = read(stored.otlpScope.spans.map((span) => JSON.stringify(span)).join('\n'))
  expect(outline(sessions)).toEqual(EXPECTED)
  expect(warnings).toEqual([])
})

test('the attributes of a span alone are told from an unknown kind of file', () => {
  expect(() => read({ 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': '[]' })).toThrow(
    /attributes of a span without the span/,
  )
})

test('names chosen by an attacker stay names', () => {
  const nested = JSON.parse('{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}')
  read(stored.phoenixSpans.map((span) => ({ ...span, attributes: { ...span.attributes, ...nested } })))
  read({
    ...stored.jaegerTraces,
    data: stored.jaegerTraces.data.map((trace) => ({
      ...trace,
      spans: trace.spans.map((span) => ({ ...span, processID: '__proto__' })),
    })),
  })
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})
