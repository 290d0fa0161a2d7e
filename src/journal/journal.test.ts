import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Warning } from '../base/index.ts'
import { EMPTY_DIGEST, type RequestRecord, Run, type RunRecord, type SessionRecord } from '../metrics/index.ts'
import { JOURNAL_FILE, type JournalFacts, JournalWriter, readJournal } from './index.ts'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

const facts: JournalFacts = {
  version: 1,
  name: 'Support agents, 10 at once',
  startedAt: '2026-01-02T03:04:05.678Z',
  workload: { name: 'traces/*.json' },
  target: { kind: 'vllm', url: 'http://h:1/v1', model: 'm' },
  stages: [{ index: 0, warmup: false, concurrentSessions: 10, sessionRate: null }],
}

const session = (id: string, endMs: number): SessionRecord => ({
  id,
  recorded: id,
  source: `${id}.json`,
  stage: 0,
  state: 'succeeded',
  intendedMs: 0,
  startMs: 1,
  endMs,
  calls: { succeeded: 1, failed: 0, cancelled: 0, cutOff: 0 },
  error: null,
})

const request = (id: string): RequestRecord => ({
  session: id,
  call: 'c',
  name: 'chat',
  model: 'm',
  stage: 0,
  state: 'succeeded',
  error: null,
  after: [],
  readyMs: 0,
  waitMs: 0,
  sentMs: 1,
  connectMs: 0,
  firstOutputMs: 3,
  lastOutputMs: 9,
  endMs: 10,
  outputChunks: 3,
  inputTokens: 5,
  outputTokens: 3,
  cachedInputTokens: null,
  tokensEstimated: false,
  plannedOutputTokens: 3,
  splices: { live: 0, diverged: 0 },
})

const record: RunRecord = {
  ...facts,
  durationMs: 100,
  workload: { name: 'traces/*.json', hash: 'beef', recordedSessions: 2 },
  stages: facts.stages.map((stage) => ({ ...stage, startMs: 0, endMs: 100, interTokenLatency: EMPTY_DIGEST })),
  sessions: [session('a', 10), session('b', 20)],
  requests: [request('a'), request('b')],
  client: { eventLoopDelayMs: { p50: 1, p99: 2, max: 3 } },
  warnings: [{ code: 'x', message: 'y' }],
}

const silent = (warning: Warning) => expect.unreachable(warning.message)

function begin(warn = silent, requests = true): JournalWriter {
  return new JournalWriter({ folder, requests }, facts, warn)
}

async function written(end?: RunRecord, requests = true): Promise<string> {
  const journal = begin(silent, requests)
  for (const { id } of record.sessions) journal.session(session(id, id === 'a' ? 10 : 20), [request(id)])
  await (end === undefined ? journal.close() : journal.end(end))
  return join(journal.folder ?? '', JOURNAL_FILE)
}

test('a run that came to its end reads as it was', async () => {
  expect(await readJournal(await written(record))).toEqual(record)
  expect((await readJournal(await written(record, false))).requests).toEqual([])
})

test('a run that did not come to its end has the sessions that had', async () => {
  const read = await readJournal(await written())
  expect(read).toMatchObject({
    name: facts.name,
    sessions: record.sessions,
    requests: record.requests,
    durationMs: 20,
    stages: [{ index: 0, startMs: 0, endMs: 20 }],
    aborted: expect.stringContaining('process ended'),
    warnings: [{ code: 'run-not-finished' }],
  })
  expect(new Run(read).sessionCounts.succeeded).toBe(2)
})

test('cut after any byte it is read as far as it goes', async () => {
  const file = await written(record)
  const bytes = readFileSync(file)
  const firstEnd = bytes.indexOf('\n')
  for (let length = firstEnd; length < bytes.length; length += 37) {
    writeFileSync(file, bytes.subarray(0, length))
    const lines = bytes.subarray(0, length).toString().split('\n').slice(1, 3)
    const whole = lines.filter((line) => line.endsWith(']}')).length
    expect((await readJournal(file)).sessions).toHaveLength(whole)
  }
})

test('a broken line in the midst is said', async () => {
  const file = await written()
  appendFileSync(file, 'gibberish\n[]\n')
  appendFileSync(file, `${JSON.stringify({ session: session('c', 30) })}\n{"cut`)
  const read = await readJournal(file)
  expect(read.sessions).toHaveLength(3)
  expect(read.warnings).toContainEqual(expect.objectContaining({ code: 'journal-line-skipped', count: 2 }))
})

test('what is no session is not handed on', async () => {
  const file = await written()
  appendFileSync(file, `${JSON.stringify({ session: { ...session('c', 30), endMs: 'soon' } })}\n`)
  await expect(readJournal(file)).rejects.toMatchObject({
    code: 'UNREADABLE_RECORD',
    message: expect.stringMatching(/line 4.*`endMs`/),
  })
})

test('of a journal of another release nothing is read but that', async () => {
  const file = join(folder, JOURNAL_FILE)
  writeFileSync(file, `${JSON.stringify({ run: { ...facts, version: 2 } })}\n${JSON.stringify({ session: { of: 'then' } })}\n`)
  await expect(readJournal(file)).rejects.toThrow(`${file}, line 1: a record of version 2, expected version 1. Read it with`)
})

test('a folder of runs stands for the latest', async () => {
  await written(record)
  const later = new JournalWriter(
    { folder, requests: true },
    { ...facts, startedAt: '2026-01-02T03:04:06.000Z', name: '!' },
    silent,
  )
  await later.close()
  expect(readdirSync(folder).sort()).toEqual([
    '.gitignore',
    '2026-01-02T03-04-05-678Z-support-agents-10-at-once',
    '2026-01-02T03-04-06-000Z-run',
  ])
  expect((await readJournal(folder)).name).toBe('!')
})

test('two runs that begin at once have a folder each', async () => {
  const [one, other] = [begin(), begin()]
  await Promise.all([one.close(), other.close()])
  expect(one.folder).not.toBe(other.folder)
})

test('the oldest runs make room, and nothing else does', async () => {
  mkdirSync(join(folder, 'mine'))
  for (let i = 10; i < 40; i++) mkdirSync(join(folder, `2025-01-01T00-00-00-0${i}Z-old`))
  await begin().close()
  const left = readdirSync(folder)
  expect(left.filter((name) => name.startsWith('20'))).toHaveLength(20)
  expect(left).toContain('mine')
  expect(left).not.toContain('2025-01-01T00-00-00-010Z-old')
})

test('a run under way makes no room, one whose process is gone does', async () => {
  const old = { ...facts, startedAt: '2024-01-01T00:00:00.000Z' }
  const long = new JournalWriter({ folder, requests: true }, old, () => {})
  const killed = join(folder, '2024-01-01T00-00-00-001Z-killed')
  mkdirSync(killed)
  // Beyond any process id.
  writeFileSync(join(killed, 'process'), String(2 ** 31 - 1))
  for (let i = 10; i < 40; i++) mkdirSync(join(folder, `2025-01-01T00-00-00-0${i}Z-old`))
  await begin().close()
  expect(existsSync(long.folder ?? '')).toBe(true)
  expect(existsSync(killed)).toBe(false)
  long.session(session('a', 1), [])
  await long.close()
  expect(readdirSync(long.folder ?? '')).toEqual([JOURNAL_FILE])
  await begin().close()
  expect(existsSync(long.folder ?? '')).toBe(false)
})

test('a folder that cannot be made is a warning, not an error', async () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const warnings: Warning[] = []
  const journal = new JournalWriter({ folder: join(file, 'runs'), requests: true }, facts, (warning) => warnings.push(warning))
  journal.session(session('a', 1), [])
  await journal.end(record)
  expect(warnings).toMatchObject([{ code: 'journal-not-written', message: expect.stringContaining('ENOTDIR') }])
})

test.runIf(existsSync('/dev/full'))('a full disk is one warning', async () => {
  const warnings: Warning[] = []
  const journal = new JournalWriter(
    { folder, requests: true },
    facts,
    (warning) => warnings.push(warning),
    () => '/dev/full',
  )
  for (let i = 0; i < 100; i++) journal.session(session(`s${i}`, i), [])
  await journal.end(record)
  expect(warnings).toMatchObject([{ code: 'journal-not-written', message: expect.stringContaining('ENOSPC') }])
})

test.each(['', '{}\n', 'gibberish', '{"session":5}\n'])('what is no journal says so: %j', async (content) => {
  const file = join(folder, 'x.jsonl')
  writeFileSync(file, content)
  await expect(readJournal(file)).rejects.toMatchObject({ code: 'UNREADABLE_RECORD' })
  await expect(readJournal(join(folder, 'nowhere'))).rejects.toThrow('there is nothing')
  await expect(readJournal(folder)).rejects.toThrow('holds no `sessions.jsonl`')
})

test('a journal that cannot be read, or that nothing was written to, says so and what to give instead', async () => {
  mkdirSync(join(folder, JOURNAL_FILE))
  await expect(readJournal(folder)).rejects.toMatchObject({
    code: 'UNREADABLE_RECORD',
    message: expect.stringMatching(/cannot be read: EISDIR.*Give the folder of a run/),
  })
  const empty = join(folder, 'empty.jsonl')
  writeFileSync(empty, '')
  await expect(readJournal(empty)).rejects.toThrow('is empty: the process ended before')
})
