import { describe, expect, test, vi } from 'vitest'
import { DefaultReporter, type Vitest } from 'vitest/node'
import type { Progress } from '../replay/index.ts'
import { LiveProgress } from './live-progress.ts'
import { PROGRESS, type ProgressArtifact } from './progress-artifact.ts'

function artifact(done: number, elapsedMs = 10_000, total: number | null = 100): ProgressArtifact {
  const progress: Progress = {
    stage: 0,
    stages: 1,
    warmup: false,
    elapsedMs,
    sessions: { total, inFlight: 5, succeeded: done, failed: 0 },
    requests: { inFlight: 5, succeeded: done, failed: 0 },
  }
  return { type: PROGRESS, run: 'id', scenario: 'support agents', state: { kind: 'replaying', progress } }
}

function fetching(doneBytes: number, totalBytes = 80e6): ProgressArtifact {
  const file = { dataset: 'acme/orders', file: 'data/train.parquet', doneBytes, totalBytes }
  return { type: PROGRESS, run: 'id', scenario: 'support agents', state: { kind: 'fetching', file } }
}

function fakeVitest(reporters: unknown[]) {
  const log = vi.fn<(line: string) => void>()
  return { vitest: { reporters, logger: { log, getColumns: () => 100 } } as unknown as Vitest, log }
}

describe('in a log', () => {
  test('a line at each quarter, once', () => {
    const { vitest, log } = fakeVitest([{}])
    const progress = new LiveProgress(vitest)
    for (const done of [0, 10, 24, 25, 30, 49, 51, 52, 80, 99, 100]) progress.show('test', artifact(done))
    expect(log.mock.calls.map(([line]) => /\d+\/100/.exec(line)?.[0])).toEqual(['25/100', '51/100', '80/100'])
    expect(log.mock.calls[0]?.[0]).toMatch(/^ support agents {2}stage 1\/1 {2}██░+ {2}25\/100 sessions/)
  })

  test('nothing of a run that takes but a moment', () => {
    const { vitest, log } = fakeVitest([])
    new LiveProgress(vitest).show('test', artifact(50, 900))
    expect(log).not.toHaveBeenCalled()
  })

  test('a line at each quarter of a large file that is fetched', () => {
    const { vitest, log } = fakeVitest([])
    const progress = new LiveProgress(vitest)
    for (const done of [0, 10e6, 20e6, 30e6, 65e6, 80e6]) progress.show('test', fetching(done))
    for (const done of [0, 1e6, 2e6]) progress.show('test', { ...fetching(done, 2e6), run: 'other' })
    expect(log.mock.calls.map(([line]) => line)).toEqual([
      ' support agents  fetching acme/orders  ██░░░░░░░░  20.0 of 80.0 MB · data/train.parquet',
      ' support agents  fetching acme/orders  ████████░░  65.0 of 80.0 MB · data/train.parquet',
    ])
  })

  test('a line now and then of a stage without a known end', () => {
    const { vitest, log } = fakeVitest([])
    const progress = new LiveProgress(vitest)
    for (const elapsedMs of [10_000, 29_000, 30_500, 45_000, 61_000]) progress.show('test', artifact(10, elapsedMs, null))
    expect(log).toHaveBeenCalledTimes(2)
  })
})

describe('on a terminal', () => {
  const reporter = new DefaultReporter({ isTTY: true } as object)
  const { summary } = reporter as unknown as { summary: { createSummary(): string[] } }
  const { vitest, log } = fakeVitest([{}, reporter])
  const progress = new LiveProgress(vitest)

  test('a run in flight is a line above the counts of Vitest’s summary', () => {
    const before = summary.createSummary().length
    progress.show('test', artifact(50))
    const lines = summary.createSummary()
    expect(lines).toHaveLength(before + 1)
    expect(lines.findIndex((line) => line.includes('support agents'))).toBeLessThan(
      lines.findIndex((line) => line.includes('Test Files')),
    )
    expect(log).not.toHaveBeenCalled()
  })

  test('the line goes with its test', () => {
    progress.end('test')
    expect(summary.createSummary().join('\n')).not.toContain('support agents')
  })
})
