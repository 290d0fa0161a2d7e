import { describe, expect, test } from 'vitest'
import type { RequestRecord } from './records.ts'
import { RequestColumns } from './request-columns.ts'
import { requestRecord, seededRandom, unsentRecord } from './run-record.fixture.ts'

/** Every optional field there or not, every `null` that may be, numbers at the ends of what JSON can say. */
function randomRecord(random: () => number): RequestRecord {
  const pick = <Value>(...values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value
  const time = () => pick(0, 0.1 + 0.2, random() * 1e6, 1e300, 5e-324, -3.25)
  const count = () => pick(0, 1, 17, 2 ** 31, 2 ** 32 - 2)
  const after = pick([], ['c1'], ['c2', 'c1'], ['c1', 'c2', 'c3'])
  const continues = pick(undefined, ...after)
  return requestRecord({
    session: pick('a', 'b#2', '', 'a b'),
    call: pick('c1', 'c2', '__proto__', 'a'),
    name: pick('chat', 'plan', 'constructor'),
    ...pick({}, { agent: 'planner' }, { agent: '' }),
    ...pick({}, { labels: { tenant: 'acme' } }, { labels: { tenant: 'acme', region: 'eu' } }, { labels: {} }),
    model: pick('m', 'M'),
    stage: pick(0, 1, 7),
    state: pick('succeeded', 'failed', 'cancelled', 'cut-off'),
    error: pick(null, { label: 'http_503', message: 'busy' }, { label: 'http_503', message: 'busy', call: 'c1' }),
    after,
    readyMs: pick(null, time()),
    waitMs: time(),
    ...pick({}, { uncappedWaitMs: time() }),
    sentMs: pick(null, time()),
    connectMs: time(),
    firstOutputMs: pick(null, time()),
    lastOutputMs: pick(null, time()),
    endMs: pick(null, time()),
    outputChunks: count(),
    inputTokens: pick(null, count()),
    outputTokens: pick(null, count()),
    cachedInputTokens: pick(null, count()),
    tokensEstimated: pick(true, false),
    plannedOutputTokens: pick(null, count()),
    splices: pick(
      { live: 0, diverged: 0 },
      { live: 2, diverged: 1 },
      { live: 2, diverged: 1, by: { context: { live: 1, diverged: 0 }, earlier: { live: 1, diverged: 1 } } },
    ),
    ...pick({}, { recordedInputTokens: count() }),
    ...(continues === undefined ? {} : { continues }),
    ...pick({}, { toolCalls: { matched: 1, missing: 0, extra: 0, renamed: 0, malformed: 0 } }),
  })
}

const random = seededRandom(5)
const records = Array.from({ length: 2_000 }, () => randomRecord(random))

test('gives back every record as it was', () => {
  expect(RequestColumns.of(records).toArray()).toStrictEqual(records)
})

test('a view has the fields of its record', () => {
  const fields = Object.keys(Object.assign({}, ...records)) as (keyof RequestRecord)[]
  expect(fields).toHaveLength(28)
  const views = [...RequestColumns.of(records)]
  expect(views).toHaveLength(records.length)
  for (const [index, record] of records.entries()) {
    for (const field of fields) expect(views[index]?.[field], field).toStrictEqual(record[field])
  }
})

describe('keeps a record as it came when it has', () => {
  const tooBig = 2 ** 32 - 1
  test.each<[string, object]>([
    ['a field of a later version', { queueMs: 3 }],
    ['a field of a later version in the place of one', { queueMs: 3, agent: undefined }],
    ['half a token', { inputTokens: 0.5 }],
    ['negative zero for a count', { outputTokens: -0 }],
    ['a count without bounds', { cachedInputTokens: tooBig }],
    ['as many chunks', { outputChunks: tooBig }],
    ['as many planned tokens', { plannedOutputTokens: tooBig }],
    ['as many recorded tokens', { recordedInputTokens: tooBig }],
    ['a time that is none', { sentMs: Number.NaN }],
    ['a wait that is none', { waitMs: Number.NaN }],
    ['a longer wait that is none', { uncappedWaitMs: Number.NaN }],
    ['null where there is always a number', { connectMs: null }],
    ['null for the number of its chunks', { outputChunks: null }],
    ['a call it goes on from that is no predecessor', { continues: 'c9' }],
  ])('%s', (_, differs) => {
    const odd: RequestRecord = { ...requestRecord(), ...differs }
    const columns = RequestColumns.of([requestRecord(), odd, requestRecord()])
    expect(columns.toArray()).toStrictEqual([requestRecord(), odd, requestRecord()])
    expect([...columns][1]).toBe(odd)
  })
})

test('times may have any sign and size', () => {
  const odd = requestRecord({ readyMs: -0, sentMs: Number.POSITIVE_INFINITY, endMs: Number.NEGATIVE_INFINITY, waitMs: -0 })
  expect(RequestColumns.of([odd]).toArray()).toStrictEqual([odd])
})

test('a part of them is a list like the whole', () => {
  const columns = RequestColumns.of(records)
  const failed = ({ state }: RequestRecord) => state === 'failed'
  const late = ({ waitMs }: RequestRecord) => waitMs > 1
  const part = columns.filter(failed)
  const expected = records.filter(failed)
  expect(part).toHaveLength(expected.length)
  expect(part.map(({ call }) => call)).toEqual(expected.map(({ call }) => call))
  expect(part.filter(late).map(({ waitMs }) => waitMs)).toEqual(expected.filter(late).map(({ waitMs }) => waitMs))
  expect(part.flatMap(({ after }) => after)).toEqual(expected.flatMap(({ after }) => after))
  expect(part.reduce((sum, { outputChunks }) => sum + outputChunks, 0)).toBe(
    expected.reduce((sum, { outputChunks }) => sum + outputChunks, 0),
  )
  expect([part.some(failed), part.every(failed), columns.every(failed)]).toEqual([true, true, false])
  expect(columns.filter(() => false).some(() => true)).toBe(false)
  expect(columns.filter(() => true)).toBe(columns)
})

test('an array that someone holds is not made twice, and has what came since', () => {
  const columns = RequestColumns.of(records.slice(0, 3))
  const array = columns.toArray()
  expect(columns.toArray()).toBe(array)
  columns.add(unsentRecord())
  expect(columns.toArray()).toStrictEqual([...array, unsentRecord()])
})

test('what it was given may change afterwards', () => {
  const labels = { tenant: 'acme' }
  const record = { ...requestRecord({ labels }), endMs: 5 }
  const columns = RequestColumns.of([record])
  record.endMs = 6
  expect(columns.toArray()).toMatchObject([{ endMs: 5 }])
})

test('very many different ones are told apart', () => {
  const many = Array.from({ length: 20_000 }, (_, index) =>
    requestRecord({
      session: `s${index % 9_000}`,
      call: `c${index % 5_000}`,
      name: `step ${index % 40}`,
      after: index % 3 === 0 ? [`c${index}`] : [`c${index}`, `c${index + 1}`],
      error: index % 2 === 0 ? { label: 'http_500', message: `request ${index}` } : null,
    }),
  )
  expect(RequestColumns.of(many).toArray()).toStrictEqual(many)
})

test('some of them are an array in JSON', () => {
  const columns = RequestColumns.of(records)
  const some = [7, 3, 1_999]
  expect(JSON.parse(JSON.stringify({ requests: columns.rows(some) }))).toEqual({ requests: some.map((row) => records[row]) })
  expect(JSON.stringify(columns.rows([]))).toBe('[]')
})
