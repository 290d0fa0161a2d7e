import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { manualClock } from '../base/manual-clock.fixture.ts'
import type { OtlpItem } from './otlp-items.ts'
import { SessionFiles } from './session-files.ts'

let directory = ''

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'session-files-'))
})

afterEach(() => {
  rmSync(directory, { recursive: true, force: true })
})

const item = (traceId: string, n: number, more: Partial<OtlpItem> = {}): OtlpItem => ({
  kind: 'span',
  traceId,
  conversation: '',
  isRoot: false,
  request: { n },
  ...more,
})

const startedAt = new Date('2026-01-02T03:04:05Z')

function written(): number[][] {
  return readdirSync(directory)
    .map((name) =>
      readFileSync(join(directory, name), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).n),
    )
    .sort((a, b) => a[0] - b[0])
}

test('a trace is written as a whole when its root has come, each trace to a file of its own', () => {
  const clock = manualClock()
  const files = new SessionFiles(join(directory), startedAt, clock, (request) => request)
  files.add(item('a', 1))
  files.add(item('b', 2))
  expect(written()).toEqual([])
  files.add(item('a', 3, { isRoot: true }))
  clock.advance(0)
  expect(written()).toEqual([[1, 3]])
  clock.advance(5_000)
  expect(written()).toEqual([[1, 3], [2]])
})

test('traces of one conversation go to one file, whichever span names it', () => {
  const clock = manualClock()
  const files = new SessionFiles(directory, startedAt, clock, (request) => request)
  files.add(item('a', 1))
  files.add(item('a', 2, { conversation: 'c', isRoot: true }))
  clock.advance(0)
  files.add(item('b', 3, { conversation: 'c', isRoot: true }))
  clock.advance(0)
  expect(written()).toEqual([[1, 2, 3]])
  expect(files.paths).toHaveLength(1)
})

test('what comes late is appended to its trace', () => {
  const clock = manualClock()
  const files = new SessionFiles(directory, startedAt, clock, (request) => request)
  files.add(item('a', 1, { isRoot: true }))
  clock.advance(0)
  files.add(item('a', 2, { kind: 'log' }))
  files.flush()
  expect(written()).toEqual([[1, 2]])
  expect(clock.pending).toBe(0)
})

test('no path is made from what was received', () => {
  const files = new SessionFiles(directory, startedAt, manualClock(), (request) => request)
  files.add(item('../../etc/passwd', 1, { conversation: '/root/.ssh' }))
  files.flush()
  expect(readdirSync(directory)).toEqual([expect.stringMatching(/^2026-01-02T03-04-05-[0-9a-f]{12}\.otlp\.jsonl$/)])
})

test('what cannot be written is said, kept, and written once it can', () => {
  const clock = manualClock()
  const failures: string[] = []
  const files = new SessionFiles(
    directory,
    startedAt,
    clock,
    (request) => request,
    (reason) => failures.push(reason),
  )
  rmSync(directory, { recursive: true })
  files.add(item('a', 1))
  files.add(item('a', 2, { isRoot: true }))
  clock.advance(5_000)
  expect(failures).toEqual([
    expect.stringMatching(/cannot be written to: ENOENT.* What was received is kept until the capture ends\./),
  ])
  expect(() => files.flush()).toThrow(
    expect.objectContaining({ code: 'CAPTURE', message: expect.stringContaining('A trace is lost') }),
  )
  mkdirSync(directory)
  files.flush()
  expect(written()).toEqual([[1, 2]])
})
