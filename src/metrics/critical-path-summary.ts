import type { SessionBreakdown, TimeSplit } from './critical-path.ts'
import { rankOf } from './distribution.ts'

/** What set the latency of sessions, over many of them. */
export interface CriticalPathSummary {
  /** Sessions that succeeded: those whose paths are counted. */
  readonly sessions: number
  /** How many of them, around the figure asked for, the shares are taken over. */
  readonly around: number
  /** Shares of their latency that went into each part; together 1. */
  readonly split: TimeShares
  /** Calls by position on the path and name, those that took most first. */
  readonly calls: readonly CriticalCall[]
}

/** The parts of {@link TimeSplit} as shares, 0 to 1. */
export interface TimeShares {
  readonly prefill: number
  readonly decode: number
  readonly wait: number
  readonly lag: number
}

/** Calls with the same name that stand at the same place of their sessions' critical paths. */
export interface CriticalCall {
  /** On the path, from 1. */
  readonly position: number
  readonly name: string
  /** Sessions on whose path it stands, of {@link CriticalPathSummary.sessions}. */
  readonly sessions: number
  /** Of the latency around the figure: its queue, prefill and decode, not the wait before it. */
  readonly share: number
}

/** Half the width of the band of ranks that stands for a quantile. */
const BAND = 0.05

/**
 * @param quantile which latency is to be explained: the sessions within 5 % of the ranks around it, one at least, are taken
 * together; `undefined` takes all, for the mean
 */
export function summarizeCriticalPath(
  breakdowns: readonly SessionBreakdown[],
  quantile: number | undefined,
): CriticalPathSummary {
  const succeeded = breakdowns.filter(({ state }) => state === 'succeeded').sort((a, b) => a.latencyMs - b.latencyMs)
  const around = bandOf(succeeded, quantile)
  const totalMs = around.reduce((sum, { latencyMs }) => sum + latencyMs, 0)
  const share = (ms: number) => (totalMs === 0 ? 0 : ms / totalMs)
  const part = (name: keyof TimeSplit) => share(around.reduce((sum, { split }) => sum + split[name], 0))
  const calls = new Map<string, { position: number; name: string; sessions: number; ms: number }>()
  const banded = new Set(around)
  for (const breakdown of succeeded) {
    for (const [index, step] of breakdown.path.entries()) {
      const name = step.name === '' ? step.call : step.name
      const key = `${index} ${name}`
      const call = calls.get(key) ?? { position: index + 1, name, sessions: 0, ms: 0 }
      calls.set(key, call)
      call.sessions += 1
      if (banded.has(breakdown)) call.ms += step.prefillMs + step.decodeMs
    }
  }
  return {
    sessions: succeeded.length,
    around: around.length,
    split: { prefill: part('prefillMs'), decode: part('decodeMs'), wait: part('waitMs'), lag: part('lagMs') },
    calls: [...calls.values()]
      .map(({ ms, ...call }) => ({ ...call, share: share(ms) }))
      .sort((a, b) => b.share - a.share || a.position - b.position),
  }
}

function bandOf(sorted: readonly SessionBreakdown[], quantile: number | undefined): readonly SessionBreakdown[] {
  if (quantile === undefined) return sorted
  const rank = rankOf(quantile, sorted.length)
  const from = Math.ceil(rank - BAND * sorted.length)
  const to = Math.floor(rank + BAND * sorted.length)
  const nearest = Math.max(0, Math.round(rank))
  return from > to ? sorted.slice(nearest, nearest + 1) : sorted.slice(Math.max(0, from), to + 1)
}
