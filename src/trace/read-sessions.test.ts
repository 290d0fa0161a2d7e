import { expect, test } from 'vitest'
import { TraceReplayError, type Warning } from '../base/index.ts'
import { readSessions, readSessionsAsync } from './read-sessions.ts'
import { assistant, callIds, chat, flatFile, oneCall, otlpFile, readFiles, type SpanSketch, user } from './trace.fixture.ts'

const hi = [user('hi')]
const yes = [assistant('yes')]
const flat = (id: string, ...spans: SpanSketch[]) => flatFile(spans, { trace_id: id })

test('a call tells its time from the start of its session, who called, and what ran around it', () => {
  const { sessions } = readFiles([
    flat(
      's',
      { id: 'root', start: 0, end: 100, attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'planner' } },
      { id: 'step', start: 1, end: 99, parent: 'root' },
      chat('a', 10, 20.25, hi, yes, { parent: 'step' }),
      chat('b', 30, 40, [user('ho')], yes, { parent: 'gone', attributes: { 'gen_ai.agent.name': 'helper' } }),
    ),
  ])
  expect(sessions).toMatchObject([
    {
      id: 's',
      source: 'a',
      calls: [
        { id: 'a', name: 'chat m', agent: 'planner', startMs: 0, endMs: 10, spanPath: ['root', 'step'], error: null },
        { id: 'b', agent: 'helper', startMs: 20, endMs: 30, spanPath: ['gone'] },
      ],
    },
  ])
})

test.each<[string, Partial<SpanSketch>, string | null]>([
  ['a status message', { error: 'rate limit' }, 'rate limit'],
  ['a status alone', { error: '', attributes: { 'error.type': '429' } }, '429'],
  ['a type alone', { attributes: { 'error.type': 'timeout' } }, 'timeout'],
  ['nothing', {}, null],
])('the error of a call: %s', (_, more, error) => {
  expect(oneCall(readFiles([flat('s', chat('a', 0, 1, hi, null, more))])).error).toBe(error)
})

test('an exception event tells the error', () => {
  const document = JSON.parse(flat('s', chat('a', 0, 1, hi, null)))
  document.spans[0].status = { code: 2 }
  document.spans[0].events = [{ name: 'exception', attributes: { 'exception.message': 'socket hang up' } }]
  expect(oneCall(readFiles([JSON.stringify(document)])).error).toBe('socket hang up')
})

test('equal messages of one input set are one object, within sessions and between them', () => {
  const history = [...hi, ...yes, user('ho')]
  const { sessions } = readFiles([
    flat('s1', chat('a', 0, 1, hi, yes), chat('b', 2, 3, history, yes)),
    flat('s2', chat('a', 0, 1, hi, yes)),
    otlpFile([chat('c', 0, 1, hi, yes)]),
  ])
  const [a, b, c, d] = sessions.flatMap(({ calls }) => calls)
  const first = a?.messages[0]
  expect([b, c, d].map((call) => call?.messages[0] === first)).toEqual([true, true, true])
  expect(b?.messages[1]).toBe(a?.output)
  expect(Object.isFrozen(first)).toBe(true)
})

test('a large file, whose repetitions are not read again, reads like the values in it', async () => {
  const history = Array.from({ length: 24 }, (_, index) =>
    (index % 2 === 0 ? user : assistant)(`${index} ✓ ${'x'.repeat(2_000)}`),
  )
  const calls = Array.from({ length: 12 }, (_, index) =>
    chat(`c${index}`, index * 10, index * 10 + 5, history.slice(0, index * 2 + 1), [history[index * 2 + 1]]),
  )
  const file = flatFile([...calls, chat('branch', 500, 510, [...history.slice(0, 5), user('or else')], yes)])
  expect(file.length).toBeGreaterThan(2 ** 18)
  const [large] = readFiles([file]).sessions
  async function* documents() {
    yield { name: 'a', document: JSON.parse(file) as unknown }
  }
  for await (const plain of readSessionsAsync(documents(), { warn: () => {}, onInvalidTrace: 'fail' }))
    expect(large).toEqual(plain)
  const last = large?.calls[11]
  expect(last?.messages[3]).toBe(large?.calls[2]?.messages[3])
  expect(last?.messages[3]).toBe(large?.calls[1]?.output)
})

test('session ids are unique in the input set, whatever the files call themselves', () => {
  const file = flat('s', chat('a', 0, 1, hi, yes))
  const anonymous = flatFile([chat('a', 0, 1, hi, yes, { trace: '' })], {})
  const { sessions } = readFiles([file, file, anonymous, otlpFile([chat('a', 0, 1, hi, yes, { trace: 's' })])])
  expect(sessions.map(({ id, source }) => [id, source])).toEqual([
    ['s', 'a'],
    ['s~2', 'b'],
    ['c', 'c'],
    ['s~3', 'd'],
  ])
})

test('call ids are unique in a session that spans traces', () => {
  const call = (start: number, trace: string) =>
    chat('a', start, start + 1, hi, yes, { trace, attributes: { 'session.id': 'c' } })
  expect(callIds(readFiles([otlpFile([call(0, 't1'), call(5, 't2')])]))).toEqual([['a', 'a~2']])
})

test('files are pulled one by one, each session is out before the next file is read', () => {
  const log: string[] = []
  function* files() {
    for (const name of ['x', 'y']) {
      log.push(`pull ${name}`)
      yield { name, bytes: Buffer.from(flat(name, chat('a', 0, 1, hi, yes))) }
    }
    log.push('closed')
  }
  for (const { id } of readSessions(files(), { warn: () => {}, onInvalidTrace: 'fail' })) log.push(`session ${id}`)
  expect(log).toEqual(['pull x', 'session x', 'pull y', 'session y', 'closed'])
})

test('a reader that has enough closes the files', () => {
  let closed = false
  function* files() {
    try {
      for (;;) yield { name: 'x', bytes: Buffer.from(flat('x', chat('a', 0, 1, hi, yes))) }
    } finally {
      closed = true
    }
  }
  for (const _ of readSessions(files(), { warn: () => {}, onInvalidTrace: 'fail' })) break
  expect(closed).toBe(true)
})

test('a trace spread over files is one session, its tree whole', () => {
  const root = { id: '00000000000000aa', start: 0, end: 100, attributes: { 'gen_ai.agent.name': 'planner' } }
  const { sessions } = readFiles([
    otlpFile([chat('00000000000000bb', 10, 20, hi, yes, { parent: '00000000000000aa' })]),
    otlpFile([chat('00000000000000cc', 30, 40, [user('ho')], yes, { parent: '00000000000000aa' })]),
    otlpFile([root]),
  ])
  expect(sessions.map(({ calls }) => calls.map(({ id, agent }) => [id, agent]))).toEqual([
    [
      ['00000000000000bb', 'planner'],
      ['00000000000000cc', 'planner'],
    ],
  ])
})

const good = flat('good', chat('a', 0, 1, hi, yes))
const cut = good.slice(0, 120)

test.each<[string, string | Uint8Array, string, string]>([
  ['empty', '', 'UNREADABLE_TRACE', 'The file is empty'],
  ['blank', ' \n', 'UNREADABLE_TRACE', 'The file is empty'],
  ['cut off', cut, 'UNREADABLE_TRACE', 'The JSON ends too early, at byte 120: the file looks cut off'],
  ['no JSON', '<html>', 'UNREADABLE_TRACE', 'Not JSON: unexpected "<html>" at byte 0'],
  ['broken JSON behind other characters', '{"é✓": nope}', 'UNREADABLE_TRACE', 'Not JSON: unexpected "nope}" at byte 10'],
  ['binary', new Uint8Array([10, 0x83, 0x53, 10]), 'UNREADABLE_TRACE', 'Not JSON'],
  ['another document', '{"data":0,"total":0}', 'UNREADABLE_TRACE', 'found an object with the keys "data", "total", expected'],
  ['a list', '[{"traceId":"a"}]', 'UNREADABLE_TRACE', 'found a list of 1, the first of them an object with the keys "traceId"'],
  ['a number', '42', 'UNREADABLE_TRACE', 'found the number 42'],
  ['no span', '{"spans":[]}', 'NO_LLM_CALLS', 'There is no span in it'],
  [
    'log records alone',
    JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }] }] }] }),
    'NO_LLM_CALLS',
    'There are log records in it, but no span. Read it together with the file that holds the spans',
  ],
  [
    'no call',
    flat(
      's',
      { id: 'a', attributes: { 'gen_ai.operation.name': 'execute_tool' } },
      { id: 'b', attributes: { 'gen_ai.operation.name': 'execute_tool' } },
      { id: 'c', name: 'main' },
    ),
    'NO_LLM_CALLS',
    'No LLM call among its 3 spans. Operations seen: execute_tool ×2, main ×1. None is marked as an LLM call by a recorder known here: ',
  ],
  [
    'no content',
    flat('s', chat('a', 0, 1, null, null)),
    'NO_LLM_CALLS',
    'of the one call in it, no input was recorded. Turn on the capture of message content',
  ],
  [
    'a call without a time',
    flat('s', { id: 'a', name: 'chat m', end: 1, attributes: chat('a', 0, 1, hi, yes).attributes ?? {} }),
    'INVALID_TRACE',
    'span a "chat m": The span has no readable start time',
  ],
])('a file that cannot be used is an error that says why: %s', (_, file, code, message) => {
  const error = caught(() => readFiles([file]))
  expect(error).toBeInstanceOf(TraceReplayError)
  expect(error).toMatchObject({ code, message: expect.stringMatching(/^a: /) })
  expect((error as Error).message).toContain(message)
  const { sessions, warnings } = readFiles([good, file, good], 'skip')
  expect(sessions.map(({ id }) => id)).toEqual(['good', 'good~2'])
  expect(warnings.map(({ where }) => where)).toContain('b')
  expect(warnings.map((warning) => warning.message).join('\n')).toContain(message)
})

function caught(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  return undefined
}

test('under skip a bad span does not lose its neighbours, and equal findings are counted', () => {
  const broken = (id: string, start: number) => chat(id, start, start + 1, '[{"role":"us', yes)
  const { sessions, warnings } = readFiles(
    [flat('s', chat('a', 0, 1, hi, yes), broken('b', 2), broken('c', 4), chat('d', 6, 7, hi, yes))],
    'skip',
  )
  expect(callIds({ sessions, warnings })).toEqual([['a', 'd']])
  expect(warnings).toEqual([
    {
      code: 'invalid-trace-skipped',
      message: expect.stringContaining('span b "chat m", gen_ai.input.messages: The JSON is cut off after 12 characters'),
      where: 'a',
      count: 2,
    },
  ])
})

test('a file that only holds structure or log records of a trace with calls is no error', () => {
  const structure = otlpFile([{ id: 'root', trace: 't', start: 0, end: 9 }])
  const logs = otlpFile([], [{ traceId: 't', spanId: 'c', eventName: 'e' }])
  const calls = otlpFile([chat('c', 0, 1, hi, yes, { trace: 't' })])
  expect(callIds(readFiles([structure, logs, calls]))).toEqual([['c']])
  expect(() => readFiles([calls, otlpFile([{ id: 'x', trace: 'elsewhere', name: 'GET /' }])])).toThrow(
    'b: No LLM call among its 1 spans',
  )
})

test('warnings of a file arrive before its session, and before an error', () => {
  const seen: string[] = []
  const warn = ({ code }: Warning) => void seen.push(code)
  const twice = flat('s', chat('a', 0, 1, hi, yes), chat('a', 0, 1, hi, yes))
  const files = [twice, ''].map((text, index) => ({ name: `${index}`, bytes: Buffer.from(text) }))
  expect(() => {
    for (const { id } of readSessions(files, { warn, onInvalidTrace: 'fail' })) seen.push(id)
  }).toThrow('1: The file is empty')
  expect(seen).toEqual(['duplicate-span', 's'])
})
