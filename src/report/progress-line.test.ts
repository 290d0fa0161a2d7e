import { expect, test } from 'vitest'
import { type ProgressView, renderBar, renderProgressLine } from './progress-line.ts'
import { visibleWidth } from './terminal-text.ts'

const progress: ProgressView = {
  stage: 0,
  stages: 2,
  warmup: false,
  elapsedMs: 37_400,
  sessions: { total: 100, inFlight: 20, succeeded: 61, failed: 2 },
  requests: { inFlight: 18, succeeded: 400, failed: 12 },
}

test('shows the stage, how far it is, and what failed', () => {
  expect(renderProgressLine(progress, { width: 100 })).toMatchInlineSnapshot(
    `"stage 1/2  ██████░░░░  63/100 sessions · 20 in flight · 2 failed · 412 requests · 0:37"`,
  )
})

test('keeps what matters most on a narrow terminal', () => {
  const lines = [85, 80, 60, 40, 12].map((width) => {
    const line = renderProgressLine(progress, { width })
    expect(visibleWidth(line)).toBeLessThanOrEqual(width)
    return line
  })
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "stage 1/2  ██████░░░░  63/100 sessions · 20 in flight · 2 failed · 0:37
    stage 1/2  ██████░░░░  63/100 sessions · 20 in flight · 2 failed · 0:37
    stage 1/2  63/100 sessions · 20 in flight · 2 failed · 0:37
    stage 1/2  63/100 sessions · 20 in flig…
    stage 1/2…"
  `)
})

test('names a warm-up, and leaves out failures where there are none', () => {
  const warmup = { ...progress, warmup: true, sessions: { ...progress.sessions, failed: 0 } }
  expect(renderProgressLine(warmup)).toMatchInlineSnapshot(
    `"warm-up 1/2  ██████░░░░  61/100 sessions · 20 in flight · 412 requests · 0:37"`,
  )
})

test('a stage bounded by time has no bar', () => {
  expect(renderProgressLine({ ...progress, sessions: { ...progress.sessions, total: null } })).toMatchInlineSnapshot(
    `"stage 1/2  63 sessions · 20 in flight · 2 failed · 412 requests · 0:37"`,
  )
})

test('hours are hours', () => {
  expect(renderProgressLine({ ...progress, elapsedMs: 3_725_999 })).toContain('1:02:05')
})

test('failures are coloured where there are colours', () => {
  const mark = (text: string) => `<${text}>`
  const styler = { bold: mark, dim: mark, good: mark, bad: mark, warn: mark }
  expect(renderProgressLine(progress, { width: 100, styler })).toMatchInlineSnapshot(
    `"<stage 1/2>  <██████░░░░>  63/100 sessions · 20 in flight · <2 failed> · 412 requests · 0:37"`,
  )
})

test.each([
  [0, '░░░░░░░░░░'],
  [0.63, '██████░░░░'],
  [0.999, '█████████░'],
  [1, '██████████'],
  [7, '██████████'],
  [-1, '░░░░░░░░░░'],
])('a bar at %d', (share, bar) => {
  expect(renderBar(share, 10)).toBe(bar)
})
