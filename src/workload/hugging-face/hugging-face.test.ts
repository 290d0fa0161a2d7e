import { gzipSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { buildGraph } from '../../graph/index.ts'
import type { JsonObject } from '../../message/index.ts'
import { readSessions } from '../../trace/index.ts'
import { huggingFace } from './hugging-face.ts'
import { LocalHub } from './local-hub/local-hub.fixture.ts'
import { type SpanRow, sessionRow, sessionRows } from './session-row.fixture.ts'
import { sessionTable, type TableOptions, textTable } from './session-table.fixture.ts'
import { test, withEnv } from './with-hub.fixture.ts'

const TABLE = 'data/train-00000-of-00001.parquet'

/** What the same sessions are when they come as files. */
function fromFiles(rows: readonly JsonObject[]) {
  const files = rows.map((row, index) => ({ name: `acme/orders/${TABLE}#${index + 1}`, bytes: Buffer.from(JSON.stringify(row)) }))
  return [...readSessions(files, { onInvalidTrace: 'fail', warn: () => {} })].map(buildGraph)
}

function lines(rows: readonly JsonObject[]): string {
  return rows.map((row) => JSON.stringify(row)).join('\n')
}

describe('rows of a table', () => {
  const rows = sessionRows(5)

  test('are sessions, as if each were a file of its own', async ({ hub, open, read }) => {
    hub.put('acme/orders', { [TABLE]: sessionTable(rows, { rowsPerGroup: 2 }) })
    const { graphs, warnings } = await read(open('acme/orders'))
    expect(graphs).toEqual(fromFiles(rows))
    expect(graphs[0]?.nodes.map((node) => node.splices.length)).toEqual([0, 1, 2])
    expect(warnings).toEqual([])
  })

  const forms: readonly TableOptions[] = [
    { attributes: 'map' },
    { attributes: 'pairs' },
    { attributes: 'json' },
    { times: 'timestamp' },
    { codec: 'ZSTD' },
  ]
  test.for(forms)('give the same calls whatever the columns: %o', async (form, { hub, open, read }) => {
    hub.put('acme/orders', { [TABLE]: sessionTable(rows, form) })
    const { graphs } = await read(open('acme/orders'))
    const shape = (all: typeof graphs) =>
      all.map(({ nodes }) =>
        nodes.map(({ call, edges, waitMs }) => [call.id, call.messages, call.output, call.usage, edges, waitMs]),
      )
    expect(shape(graphs)).toEqual(shape(fromFiles(rows)))
  })

  test('may hold their spans as JSON text', async ({ hub, open, read }) => {
    const texts = rows.map((row) => ({ session_id: row.session_id, spans: JSON.stringify(row.spans) }))
    hub.put('acme/texts', { 'rows.parquet': textTable(texts) })
    const { ids } = await read(open('acme/texts'))
    expect(ids).toEqual(rows.map((row) => row.session_id))
  })
})

describe('other files', () => {
  const rows = sessionRows(3)
  const ids = ['order-1', 'order-2', 'order-3']

  test('lines are sessions; blank ones are none', async ({ hub, open, read }) => {
    hub.put('acme/orders', { 'train.jsonl': `\n${lines(rows)}\r\n\n` })
    const { graphs } = await read(open('acme/orders'))
    expect(graphs.map(({ session }) => [session.id, session.source])).toEqual([
      ['order-1', 'acme/orders/train.jsonl#2'],
      ['order-2', 'acme/orders/train.jsonl#3'],
      ['order-3', 'acme/orders/train.jsonl#4'],
    ])
  })

  test.for([
    ['compressed lines', 'train.jsonl.gz', gzipSync(lines(rows))],
    ['lines that only their name calls plain', 'train.ndjson', gzipSync(lines(rows))],
  ] as const)('%s', async ([, name, content], { hub, open, read }) => {
    hub.put('acme/orders', { [name]: content })
    expect((await read(open('acme/orders'))).ids).toEqual(ids)
  })

  test.for([
    ['a JSON file', 'one.json', JSON.stringify(rows[0], null, 2)],
    ['a compressed one', 'one.json.gz', gzipSync(JSON.stringify(rows[0]))],
    ['JSON over several lines under the name of JSON lines', 'one.jsonl', JSON.stringify(rows[0], null, 2)],
  ] as const)('%s is read as a whole', async ([, name, content], { hub, open, read }) => {
    hub.put('acme/orders', { [name]: content })
    expect((await read(open('acme/orders'))).ids).toEqual(['order-1'])
  })

  test('lines that are spans of one trace make one session', async ({ hub, open, read }) => {
    const spans = sessionRow('order-1').spans.map((span) => ({ resourceSpans: [otlp(span)] }))
    hub.put('acme/orders', { 'spans.jsonl': lines(spans) })
    const { graphs } = await read(open('acme/orders'))
    expect(graphs.map(({ nodes }) => nodes.length)).toEqual([3])
  })

  test('JSON beside tables is left out, and that is said', async ({ hub, open, read }) => {
    hub.put('acme/orders', { [TABLE]: sessionTable(rows), 'raw/a.json': '{}', 'dataset_infos.json': '{}', 'README.md': '#' })
    const { ids: found, warnings } = await read(open('acme/orders'))
    expect(found).toEqual(ids)
    expect(warnings).toMatchObject([
      { code: 'dataset-files-ignored', message: expect.stringContaining('1 parquet files are read, not its 1 JSON') },
    ])
  })
})

describe('what is read', () => {
  test('files come in the order of their names, over the pages of a list', async ({ open, read }) => {
    const hub = await LocalHub.start({ pageSize: 2 })
    try {
      hub.put('acme/orders', {
        'b.jsonl': lines([sessionRow('b')]),
        'c.jsonl': lines([sessionRow('c')]),
        'a.jsonl': lines([sessionRow('a')]),
      })
      expect((await read(open('acme/orders', { hubUrl: hub.url }))).ids).toEqual(['a', 'b', 'c'])
      expect(hub.takeSeen().filter((line) => line.includes('/tree/')).length).toBe(2)
    } finally {
      await hub.close()
    }
  })

  test('a split, by the word in the path', async ({ hub, open, read }) => {
    hub.put('acme/orders', {
      'data/train-00000.jsonl': lines([sessionRow('a')]),
      'data/test-00000.jsonl': lines([sessionRow('b')]),
      'contest/validation.jsonl': lines([sessionRow('c')]),
    })
    expect((await read(open('acme/orders', { split: 'test' }))).ids).toEqual(['b'])
    await expect(read(open('acme/orders', { split: 'trian' }))).rejects.toMatchObject({
      code: 'NO_TRACE_FILES',
      message: expect.stringContaining("no split 'trian': no path has that word in it. Did you mean 'train'?"),
    })
  })

  test('files, by path or glob', async ({ hub, open, read }) => {
    hub.put('acme/orders', {
      'x/a.jsonl': lines([sessionRow('a')]),
      'x/y/b.jsonl': lines([sessionRow('b')]),
      'odd[1].jsonl': lines([sessionRow('c')]),
    })
    expect((await read(open('acme/orders', { files: 'x/**' }))).ids).toEqual(['a', 'b'])
    expect((await read(open('acme/orders', { files: ['x/*.jsonl', 'odd[1].jsonl'] }))).ids).toEqual(['c', 'a'])
    await expect(read(open('acme/orders', { files: 'x/a.json' }))).rejects.toMatchObject({
      code: 'NO_TRACE_FILES',
      message: "No file of the data set 'acme/orders' matches 'x/a.json'. Did you mean 'x/a.jsonl'?",
    })
  })

  test('as many as asked for, after the filter, and nothing is fetched for more', async ({ hub, open, read }) => {
    hub.put('acme/orders', { 'a.jsonl': lines(sessionRows(4)), 'b.jsonl': lines([sessionRow('b')]) })
    const workload = open('acme/orders', { limit: 2, filter: (session) => session.id !== 'order-1' })
    expect((await read(workload)).ids).toEqual(['order-2', 'order-3'])
    expect(hub.takeSeen().some((line) => line.includes('b.jsonl'))).toBe(false)
  })

  test('a data set without traces says what it has', async ({ hub, open, read }) => {
    hub.put('acme/images', { 'a.png': 'x' })
    await expect(read(open('acme/images'))).rejects.toMatchObject({
      code: 'NO_TRACE_FILES',
      message: "The data set 'acme/images' has no parquet, JSON or JSON Lines file. It has .gitattributes, a.png.",
    })
  })
})

describe('the revision', () => {
  test('is pinned when it is first looked at, and told', async ({ hub, open, read }) => {
    const first = hub.put('acme/orders', { 'a.jsonl': lines([sessionRow('a')]) })
    const workload = open('acme/orders')
    expect((await read(workload)).origins).toEqual([
      {
        kind: 'hugging-face',
        dataset: 'acme/orders',
        revision: 'main',
        commit: first,
        url: `${hub.url}/datasets/acme/orders/tree/${first}`,
      },
    ])
    const second = hub.put('acme/orders', { 'a.jsonl': lines([sessionRow('b')]) })
    expect((await read(workload)).ids).toEqual(['a'])
    const later = await read(open('acme/orders'))
    expect(later.ids).toEqual(['b'])
    expect(later.origins[0]?.commit).toBe(second)
    expect((await read(open('acme/orders', { revision: first }))).ids).toEqual(['a'])
  })

  test('may be a branch or tag with a slash', async ({ hub, open, read }) => {
    const commit = hub.put('acme/orders', { 'a.jsonl': lines([sessionRow('a')]) })
    hub.repositories.get('acme/orders')?.tags.set('release/1.0', commit)
    hub.put('acme/orders', { 'a.jsonl': lines([sessionRow('b')]) })
    expect((await read(open('acme/orders', { revision: 'release/1.0' }))).ids).toEqual(['a'])
  })
})

describe('what cannot be read', () => {
  test('names the row and says what it held', async ({ hub, open, read }) => {
    hub.put('acme/orders', { 'a.jsonl': lines([sessionRow('a'), { session_id: 'b', spans: [] }, sessionRow('c')]) })
    await expect(read(open('acme/orders'))).rejects.toMatchObject({
      code: 'NO_LLM_CALLS',
      message: expect.stringContaining('acme/orders/a.jsonl#2'),
    })
    const skipped = await read(open('acme/orders'), { onInvalidTrace: 'skip' })
    expect(skipped.ids).toEqual(['a', 'c'])
    expect(skipped.warnings).toMatchObject([{ code: 'trace-without-calls-skipped', where: 'acme/orders/a.jsonl#2' }])
  })

  test('what is wrong with many rows is said once, with the first of them', async ({ hub, open, read }) => {
    const broken = Array.from({ length: 50 }, (_, index) => ({ session_id: `b${index}`, spans: [] }))
    hub.put('acme/orders', { 'a.jsonl': lines([...broken, sessionRow('a')]), 'b.jsonl': lines(broken) })
    const { warnings } = await read(open('acme/orders'), { onInvalidTrace: 'skip' })
    expect(warnings).toMatchObject([
      { where: 'acme/orders/a.jsonl#1', count: 50 },
      { code: 'fetched-during-run', where: 'acme/orders/b.jsonl' },
      { where: 'acme/orders/b.jsonl#1', count: 50 },
    ])
  })

  test('a damaged table names the file, and can be left out', async ({ hub, open, read }) => {
    hub.put('acme/orders', { 'a.parquet': 'PAR1 not a table', 'b.parquet': sessionTable([sessionRow('b')]) })
    await expect(read(open('acme/orders'))).rejects.toMatchObject({
      code: 'UNREADABLE_TRACE',
      message: 'acme/orders/a.parquet cannot be read: it does not end as a parquet file does; it is cut off, or something else.',
    })
    const skipped = await read(open('acme/orders'), { onInvalidTrace: 'skip' })
    expect(skipped.ids).toEqual(['b'])
    expect(skipped.warnings).toMatchObject([{ code: 'unreadable-trace-skipped', where: 'acme/orders/a.parquet' }])
  })
})

describe('options', () => {
  test.for([
    ['no name', '', {}, 'huggingFace(dataset)'],
    ['a path', '../../etc/passwd', {}, "expected the name of a data set, such as 'Exgentic/agent-llm-traces'"],
    ['too many parts', 'a/b/c', {}, 'huggingFace(dataset)'],
    ['a separator of the cache', 'a--b/c', {}, 'huggingFace(dataset)'],
    ['an unknown option', 'a/b', { spilt: 'train' }, 'Did you mean `split`?'],
    ['a limit of nothing', 'a/b', { limit: 0 }, '`limit`'],
    ['a hub that is no URL', 'a/b', { hubUrl: 'huggingface.co' }, '`hubUrl`'],
    ['a revision with a line break', 'a/b', { revision: 'main\nx' }, '`revision`'],
  ] as const)('%s', ([, dataset, options, message]) => {
    expect(() => huggingFace(dataset, options as object)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION', message: expect.stringContaining(message) }),
    )
  })

  test.for([
    'Exgentic/agent-llm-traces',
    'datasets/Exgentic/agent-llm-traces',
    'https://huggingface.co/datasets/Exgentic/agent-llm-traces/',
  ])('a data set is found under %s', (text) => {
    expect(huggingFace(text).name).toBe('Exgentic/agent-llm-traces')
  })

  test('its name tells what was chosen', () => {
    expect(huggingFace('a/b', { revision: 'v1', split: 'train', files: ['x/*'] }).name).toBe('a/b@v1 (train, x/*)')
  })

  test('the environment names the hub', async ({ hub, directory, read }) => {
    withEnv({ HF_ENDPOINT: hub.url, HF_HOME: `${directory}/home` })
    hub.put('acme/orders', { 'a.jsonl': lines([sessionRow('a')]) })
    expect((await read(huggingFace('acme/orders'))).ids).toEqual(['a'])
  })
})

/** A span as a collector writes it. */
function otlp(span: SpanRow): JsonObject {
  const nanoseconds = (time: unknown) => `${Date.parse(String(time))}000000`
  const attributes = Object.entries(span.attributes).map(([key, value]) => ({
    key,
    value: { stringValue: String(value) },
  }))
  return {
    scopeSpans: [
      {
        spans: [
          {
            traceId: span.trace_id,
            spanId: span.span_id,
            parentSpanId: span.parent_span_id ?? '',
            name: span.name,
            startTimeUnixNano: nanoseconds(span.start_time),
            endTimeUnixNano: nanoseconds(span.end_time),
            attributes,
          },
        ],
      },
    ],
  }
}
