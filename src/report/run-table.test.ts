import { expect, test } from 'vitest'
import { Run } from '../metrics/index.ts'
import { requestRecord, runRecord, sessionRecord, stageRecord } from '../metrics/run-record.fixture.ts'
import { reviewRun, verdict } from './example-run.fixture.ts'
import { summarizeRun } from './run-summary.ts'
import { renderRunTable } from './run-table.ts'
import type { AskedVerdict } from './slo-text.ts'
import { visibleWidth } from './terminal-text.ts'

const calm = summarizeRun(reviewRun())
const troubled = summarizeRun(reviewRun({ failing: 5 }))

const verdicts: readonly AskedVerdict[] = [
  {
    verdict: verdict({ label: 'session success rate', observed: 1, limit: 0.99, unit: 'rate', direction: 'floor', pass: true }),
  },
  { verdict: verdict({ observed: 43_180, pass: true }) },
  {
    verdict: verdict({
      label: 'TTFT p99',
      observed: 1_060,
      limit: 500,
      note: 'p99 rests on 40 requests; it takes 100 for it to be more than the slowest of them.',
    }),
  },
  { verdict: verdict({ label: 'output tokens', observed: 273, limit: 900, unit: '/s', direction: 'floor' }), inverted: true },
]

test('a scenario of one stage is one row, and its SLOs with their margins', () => {
  expect(renderRunTable([{ summary: calm, verdicts }])).toMatchInlineSnapshot(`
    "PR review agents, 20 at once  vllm · Qwen/Qwen2.5-7B-Instruct

                sessions    workflow latency           TTFT     TPOT  output
           ok failed cut   p50    p95    max     p50    p99      p50   tok/s
      run  40      0   0   32s  43.2s  44.4s   360ms  1.06s   90.5ms     273

      ✓ session success rate ≥ 99%   100%  1 point to spare
      ✓ workflow latency p95 ≤ 45s  43.2s  4% to spare
      ✗ TTFT p99 ≤ 500ms            1.06s  112% over
        p99 rests on 40 requests; it takes 100 for it to be more than the slowest of
        them.
      ✓ not output tokens ≥ 900/s   273/s  70% short"
  `)
})

test('a comparison that the sessions do not decide is marked, also where it passes, and says what would', () => {
  const change = { label: 'workflow latency typical', unit: 'change', limit: 0.05 } as const
  const compared = [
    { verdict: verdict({ ...change, observed: -0.004, pass: true }) },
    { verdict: verdict({ ...change, observed: 0.041, pass: true, inconclusive: true, note: 'a run of about 340 would.' }) },
    { verdict: verdict({ ...change, observed: 0.152 }) },
    { verdict: verdict({ ...change, observed: null }) },
    { verdict: verdict({ ...change, label: 'TTFT typical', observed: 0.3, pass: true, margin: '3ms in all, below 5ms' }) },
    { verdict: verdict({ label: 'session success rate', unit: 'points', direction: 'floor', limit: -0.01, observed: -0.06 }) },
  ]
  const [, table = ''] = renderRunTable([{ summary: calm, verdicts: compared }]).split(/tok\/s\n.*\n\n/)
  expect(table).toMatchInlineSnapshot(`
    "  ✓ workflow latency typical ≤ +5%       −0.4%  5.4 points to spare
      ? workflow latency typical ≤ +5%       +4.1%  inconclusive
        a run of about 340 would.
      ✗ workflow latency typical ≤ +5%      +15.2%  10.2 points over
      ✗ workflow latency typical ≤ +5%           ∞  infinitely slow
      ✓ TTFT typical ≤ +5%                    +30%  3ms in all, below 5ms
      ✗ session success rate ≥ −1 point  −6 points  5 points short"
  `)
})

test('failures rank as infinitely slow; a second row has the successful alone', () => {
  expect(renderRunTable([{ summary: troubled, verdicts: [] }])).toMatchInlineSnapshot(`
    "PR review agents, 20 at once  vllm · Qwen/Qwen2.5-7B-Instruct

                      sessions      workflow latency           TTFT     TPOT  output
                 ok failed cut     p50    p95    max     p50    p99      p50   tok/s
      run        35      5   0     32s      ∞      ∞   360ms      ∞   90.5ms     269
        ok only                  30.5s  40.2s  41.2s   340ms  958ms   86.5ms"
  `)
})

test('several stages have a row each; the run is without its warm-up', () => {
  const stages = [
    stageRecord({ warmup: true, concurrentSessions: 1 }),
    stageRecord({ index: 1, concurrentSessions: 20 }),
    stageRecord({ index: 2, concurrentSessions: 40 }),
  ]
  const { record } = reviewRun({ sessions: 30, failing: 1 })
  const stageOf = (session: string) => Math.floor((Number(session.replace('review-', '')) - 1) / 10)
  const run = new Run({
    ...record,
    stages,
    sessions: record.sessions.map((session) => ({ ...session, stage: stageOf(session.id) })),
    requests: record.requests.map((request) => ({ ...request, stage: stageOf(request.session) })),
  })
  expect(renderRunTable([{ summary: summarizeRun(run), verdicts: [{ verdict: verdict({ stage: 2 }) }] }])).toMatchInlineSnapshot(`
    "PR review agents, 20 at once  vllm · Qwen/Qwen2.5-7B-Instruct

                      sessions      workflow latency           TTFT     TPOT  output
                 ok failed cut     p50    p95    max     p50    p99      p50   tok/s
      warm-up 1  10      0   0   22.5s  25.1s  25.4s   245ms  474ms   72.5ms     119
      stage 2    10      0   0   28.9s  31.4s  31.7s   345ms  674ms   94.5ms    95.5
      stage 3     9      1   0   35.2s      ∞      ∞   445ms      ∞    105ms    75.5
        ok only                  34.9s  37.2s  37.4s   435ms  855ms    104ms
      run        19      1   0     32s      ∞      ∞   395ms      ∞   99.5ms    84.7
        ok only                  31.7s  36.9s  37.4s   385ms  849ms   98.5ms

      ✗ stage 3: workflow latency p95 ≤ 45s  52.3s  16% over"
  `)
})

test('scenarios follow one another', () => {
  const text = renderRunTable([
    { summary: calm, verdicts: [] },
    { summary: { ...calm, name: 'another' }, verdicts: [] },
  ])
  expect(text.split('\n\n').map((part) => part.split('\n')[0])).toEqual([
    'PR review agents, 20 at once  vllm · Qwen/Qwen2.5-7B-Instruct',
    expect.any(String),
    'another  vllm · Qwen/Qwen2.5-7B-Instruct',
    expect.any(String),
  ])
})

test('what was not measured is a dash, and a run that cannot be judged says why', () => {
  expect(renderRunTable([{ summary: summarizeRun(new Run(runRecord())), verdicts: [] }])).toMatchInlineSnapshot(`
    "support agents  vllm · m

                sessions   workflow latency       TTFT   TPOT  output
           ok failed cut      p50  p95  max   p50  p99    p50   tok/s
      run   0      0   0        –    –    –     –    –      –       –

      Not gradable: no session ran"
  `)
})

test('estimated tokens are marked', () => {
  const requests = [requestRecord({ tokensEstimated: true })]
  const text = renderRunTable([
    { summary: summarizeRun(new Run(runRecord({ sessions: [sessionRecord()], requests }))), verdicts: [] },
  ])
  expect(text).toMatch(/ ~26.8$/m)
  expect(text).toContain('~ estimated: the server sent no usage')
})

test.each([80, 70, 60])('fits into %d columns', (width) => {
  const text = renderRunTable(
    [
      { summary: calm, verdicts },
      { summary: troubled, verdicts: [] },
    ],
    { width },
  )
  expect(Math.max(...text.split('\n').map(visibleWidth))).toBeLessThanOrEqual(width)
  expect(text).toContain('p95')
})

test('drops the columns that matter least on a narrow terminal', () => {
  expect(renderRunTable([{ summary: troubled, verdicts: [] }], { width: 60 })).toMatchInlineSnapshot(`
    "PR review agents, 20 at once

                  sessions   workflow latency   TTFT  output
                 ok failed         p50    p95    p99   tok/s
      run        35      5         32s      ∞      ∞     269
        ok only                  30.5s  40.2s  958ms"
  `)
})

test('the summary survives JSON, and reads the same after it', () => {
  const revived = JSON.parse(JSON.stringify(troubled))
  expect(revived).toEqual(troubled)
  expect(renderRunTable([{ summary: revived, verdicts: [] }])).toBe(renderRunTable([{ summary: troubled, verdicts: [] }]))
})

test('a name from a trace cannot repaint the terminal', () => {
  const summary = { ...calm, name: '\u001b[2Jwiped', target: { kind: 'vllm', model: '\u001b]0;title\u0007' } }
  expect(renderRunTable([{ summary, verdicts: [] }])).not.toMatch(/[\u001b\u0007]/)
})

test('a note that several verdicts share stands once, below the last of them', () => {
  const note = 'not gradable: the baseline is of another workload'
  const asked: readonly AskedVerdict[] = [
    { verdict: verdict({ label: 'TTFT p50', note }) },
    { verdict: verdict({ label: 'TTFT p95', note }) },
    { verdict: verdict({ label: 'ITL p99' }) },
  ]
  const lines = renderRunTable([{ summary: calm, verdicts: asked }]).split('\n')
  expect(lines.slice(-4).map((line) => line.trim().split(' ≤')[0])).toEqual(['✗ TTFT p50', '✗ TTFT p95', note, '✗ ITL p99'])
})
