import { expect, test, vi } from 'vitest'
import { UnreadableContent } from './content-reader.ts'
import type { CallDraft, Dialect } from './dialects/index.ts'
import type { SpanEvent } from './span.ts'
import { callIds, oneCall, otlpFile, readFiles, type SpanSketch } from './trace.fixture.ts'

/** Two dialects as others will write them: one keeps messages in events or log records, one in a request attribute. */
vi.mock('./dialects/index.ts', () => ({
  get dialects() {
    return [events, request]
  },
}))

const nothing: Omit<CallDraft, 'richness'> = {
  model: '',
  responseId: '',
  messages: [],
  output: null,
  tools: [],
  params: {},
  usage: {},
}

const events: Dialect = {
  name: 'events',
  mark: 'it is marked `call`',
  classify: ({ attributes }) =>
    attributes.get('mark') === 'call' ? 'call' : attributes.get('mark') === 'wrapper' ? 'structure' : undefined,
  read(span, content) {
    const said = (name: string) =>
      span.events.filter((event) => event.name === name).flatMap((event) => content.messages(textOf(event), name))
    const tools = content.parentOf(span)?.attributes.get('tools')
    return {
      ...nothing,
      richness: 'events',
      messages: said('input'),
      output: content.output(
        span.events.map((event) => (event.name === 'output' ? textOf(event) : undefined)).find(Boolean),
        'output',
      ),
      tools: content.tools(tools, 'tools'),
      usage: { outputTokens: 1 },
    }
  },
}

const request: Dialect = {
  name: 'request',
  mark: 'it has a request',
  classify: ({ attributes }) => (attributes.get('request') === undefined ? undefined : 'call'),
  read({ attributes }, content) {
    const value = attributes.get('request') ?? ''
    if (value === 'broken') throw new UnreadableContent('request', 'It is broken.')
    return { ...nothing, richness: 'raw', messages: content.messages(value, 'request'), model: 'raw', usage: { inputTokens: 2 } }
  },
}

function textOf({ body, attributes }: SpanEvent): string {
  return String(body ?? attributes.get('text'))
}

const span = (more: Partial<SpanSketch>): SpanSketch => ({ id: 'a', trace: 't', start: 0, end: 1, ...more })
const log = (eventName: string, text: string) => ({ traceId: 't', spanId: 'a', eventName, body: { stringValue: text } })
const call = span({ attributes: { mark: 'call' } })

test.each<[string, string[]]>([
  ['in its own file', [otlpFile([call], [log('input', 'hi'), log('output', 'yes')])]],
  ['in a file before', [otlpFile([], [log('input', 'hi'), log('output', 'yes')]), otlpFile([call])]],
  ['in a file after', [otlpFile([call]), otlpFile([], [log('input', 'hi'), log('output', 'yes')])]],
  ['on both sides', [otlpFile([], [log('input', 'hi')]), otlpFile([call]), otlpFile([], [log('output', 'yes')])]],
])('log records join the span they name: %s', (_, files) => {
  expect(oneCall(readFiles(files))).toMatchObject({
    messages: [{ role: 'user', parts: [{ text: 'hi' }] }],
    output: { role: 'assistant', parts: [{ text: 'yes' }] },
  })
})

test('log records of other spans stay away', () => {
  const other = { ...log('input', 'ho'), spanId: 'b' }
  expect(oneCall(readFiles([otlpFile([call], [log('input', 'hi'), other])])).messages).toHaveLength(1)
})

test('broken content in late log records is refused by file and span', () => {
  const files = [otlpFile([call]), otlpFile([], [log('input', '[{"role"')])]
  expect(() => readFiles(files)).toThrow('a: span a "a", input: The JSON is cut off after 8 characters')
  expect(readFiles(files, 'skip').warnings.map(({ code }) => code)).toContain('invalid-trace-skipped')
})

test('of several dialects the richest reading counts, completed from the others', () => {
  const both = span({ attributes: { mark: 'call', request: '[{"role":"user","content":"raw"}]' } })
  expect(oneCall(readFiles([otlpFile([both], [log('input', 'event'), log('output', 'yes')])]))).toMatchObject({
    model: 'raw',
    messages: [{ parts: [{ text: 'raw' }] }],
    output: { parts: [{ text: 'yes' }] },
    usage: { inputTokens: 2, outputTokens: 1 },
  })
})

test('content that one dialect cannot read may come from another, with a warning', () => {
  const both = span({ attributes: { mark: 'call', request: 'broken' } })
  const { sessions, warnings } = readFiles([otlpFile([both], [log('input', 'event')])])
  expect(callIds({ sessions, warnings })).toEqual([['a']])
  expect(warnings).toContainEqual({
    code: 'unreadable-content',
    message: 'span a "a", request: It is broken. The call was read from other attributes.',
    where: 'a',
  })
  expect(() => readFiles([otlpFile([both])])).toThrow('span a "a", request: It is broken.')
})

test('what one dialect knows as structure is no call for any', () => {
  const wrapper = span({ attributes: { mark: 'wrapper', request: '[{"role":"user","content":"raw"}]' } })
  expect(() => readFiles([otlpFile([wrapper])])).toThrow('No LLM call among its 1 spans')
})

test('a dialect can look at the span around', () => {
  const parent = { id: 'p', trace: 't', start: 0, end: 9, attributes: { tools: '[{"name":"ls"}]' } }
  const inside = span({ parent: 'p', attributes: { mark: 'call' } })
  expect(oneCall(readFiles([otlpFile([inside, parent], [log('input', 'hi')])])).tools).toEqual([{ name: 'ls' }])
})
