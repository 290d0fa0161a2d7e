/**
 * What the comparison of two runs is worth, on drawn noise: how often it calls equal servers a regression, and how often it
 * sees a true one, beside the rule "p95 grew by more than the tolerance" on the same data.
 */
import { type Change, compareRuns, type LatencyQuestion } from '../src/stats/index.ts'
import { type Noise, noisyRuns } from './noisy-runs.ts'

const TOLERANCE = { relative: 0.05, absoluteMs: 10 }
const EQUAL_COMPARISONS = 1_000
const COMPARISONS_PER_EFFECT = 200
const MOST_FALSE_ALARMS = 0.01
const BARS = { typical: 0.95, tail: 0.8 }

/** A drift that forgets itself within a block, over several, or hardly at all during a comparison. */
const DRIFT_MS = [5_000, 30_000, 120_000, 600_000]

function noise(seed: number): Noise {
  return {
    callSigma: 0.2,
    stragglerShare: 0.02,
    stragglers: 'sessions',
    driftSigma: 0.04,
    driftMs: DRIFT_MS[seed % DRIFT_MS.length] ?? 0,
    failureShare: 0.01,
  }
}

const FIGURES = ['typical', 'tail', 'p50', 'p95'] as const
const WORKFLOW = FIGURES.map((figure): LatencyQuestion => ({ metric: 'workflowLatency', figure, tolerance: TOLERANCE }))
const CALLS = (['requestLatency', 'timeToFirstToken', 'timePerOutputToken'] as const).map(
  (metric): LatencyQuestion => ({ metric, figure: 'typical', tolerance: { relative: TOLERANCE.relative, absoluteMs: 0.1 } }),
)

function compared(sessions: number, slower: number, seed: number, latencies: readonly LatencyQuestion[]): readonly Change[] {
  const { base, head } = noisyRuns(sessions, slower, noise(seed), seed)
  const side = (record: typeof base) => ({ measured: record, record })
  return compareRuns(side(base), side(head), { latencies, successRate: 0.01 }).changes
}

interface Tally {
  comparisons: number
  regressed: number
  inconclusive: number
  /** The interval holds the truth. */
  covered: number
}

function tally(comparisons: number, sessions: number, slower: number, latencies: readonly LatencyQuestion[], firstSeed: number) {
  const tallies = new Map<string, Tally>()
  for (let seed = firstSeed; seed < firstSeed + comparisons; seed++) {
    for (const change of compared(sessions, slower, seed, latencies)) {
      count(tallies, nameOf(change), change.outcome, change, change.kind === 'latency' ? slower - 1 : 0)
      if (change.kind === 'latency' && change.figure === 'p95') {
        const naive = change.headMs > change.baseMs * (1 + TOLERANCE.relative)
        count(tallies, NAIVE, naive ? 'regressed' : 'held', undefined, 0)
      }
    }
  }
  return tallies
}

const NAIVE = 'p95 grew by more than 5 %'

function nameOf(change: Change): string {
  return change.kind === 'latency' ? `${change.metric} ${change.figure}` : 'sessionSuccessRate'
}

function count(tallies: Map<string, Tally>, name: string, outcome: Change['outcome'], change: Change | undefined, truth: number) {
  const found = tallies.get(name) ?? { comparisons: 0, regressed: 0, inconclusive: 0, covered: 0 }
  found.comparisons++
  if (outcome === 'regressed') found.regressed++
  if (outcome === 'inconclusive') found.inconclusive++
  if (change !== undefined && change.interval.low <= truth && truth <= change.interval.high) found.covered++
  tallies.set(name, found)
}

function percent(part: number, whole: number): string {
  return `${((part / whole) * 100).toFixed(1)}%`
}

function miss(what: string): void {
  console.log(`MISS  ${what}`)
  process.exitCode = 1
}

const equal = tally(EQUAL_COMPARISONS, 100, 1, [...WORKFLOW, ...CALLS], 1)
console.log(`equal servers, ${EQUAL_COMPARISONS} comparisons of 100 sessions, tolerance 5 %`)
console.log(`${'called'.padEnd(28)}${'regressed'.padStart(10)}${'inconclusive'.padStart(14)}   95 % interval holds the truth`)
for (const [name, { regressed, inconclusive, covered, comparisons }] of equal) {
  const covers = name === NAIVE ? '' : percent(covered, comparisons)
  console.log(
    `${name.padEnd(28)}${percent(regressed, comparisons).padStart(10)}${percent(inconclusive, comparisons).padStart(14)}   ${covers}`,
  )
  if (name !== NAIVE && !(regressed <= MOST_FALSE_ALARMS * comparisons)) miss(`false alarms of ${name} (bar ≤ 1%)`)
}

console.log(`\nseen, of ${COMPARISONS_PER_EFFECT} comparisons each, tolerance 5 %`)
console.log(
  `${'sessions'.padEnd(10)}${'slower by'.padEnd(11)}${[...FIGURES, 'p95 grew'].map((name) => name.padStart(9)).join('')}`,
)
for (const sessions of [100, 300]) {
  for (const slower of [0.03, 0.05, 0.08, 0.15]) {
    const seen = tally(COMPARISONS_PER_EFFECT, sessions, 1 + slower, WORKFLOW, 100_000)
    const share = (name: string) => (seen.get(name)?.regressed ?? 0) / COMPARISONS_PER_EFFECT
    const cells = [...FIGURES.map((figure) => share(`workflowLatency ${figure}`)), share(NAIVE)]
    console.log(
      `${String(sessions).padEnd(10)}${`${Math.round(slower * 100)}%`.padEnd(11)}${cells.map((cell) => percent(cell, 1).padStart(9)).join('')}`,
    )
    if (sessions !== 100 || slower !== 0.15) continue
    for (const [figure, bar] of Object.entries(BARS)) {
      const power = share(`workflowLatency ${figure}`)
      if (!(power >= bar)) miss(`a true +15% seen by ${figure} in ${percent(power, 1)} (bar ≥ ${percent(bar, 1)})`)
    }
  }
}
