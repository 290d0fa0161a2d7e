import type { Call } from '../message/index.ts'

/**
 * Some SDKs stamp a span's start in whole milliseconds and its end with fractions, so a successor may seem to start up to
 * this long before its predecessor's end. Only evidence from content may reach over it.
 */
export const CLOCK_SLACK_MS = 1

/**
 * A session's calls in the order of start, end, id. Everything in this folder names a call by its rank in that order: each
 * edge leads from a lower rank to a higher one, so that a cycle cannot arise and the ranks are a topological order.
 */
export class Timeline {
  readonly calls: readonly Call[]
  /** Per call, the lowest rank that may follow from its content: it starts no earlier than the call's end, less the slack. */
  readonly usableFrom: readonly number[]
  /** Per call, the lowest rank that starts strictly after it: no earlier than the call's end, without slack. */
  readonly endedFrom: readonly number[]
  /** Ranks in the order in which they become usable. */
  readonly #byUsable: readonly number[]

  constructor(calls: readonly Call[]) {
    this.calls = [...calls].sort(compareCalls)
    const starts = this.calls.map((call) => call.startMs)
    this.usableFrom = this.calls.map((call, rank) => Math.max(rank + 1, firstAtLeast(starts, call.endMs - CLOCK_SLACK_MS)))
    this.endedFrom = this.calls.map((call, rank) => Math.max(rank + 1, firstAtLeast(starts, call.endMs)))
    this.#byUsable = ranksBy(this.usableFrom)
  }

  get size(): number {
    return this.calls.length
  }

  at(rank: number): Call {
    const call = this.calls[rank]
    if (call === undefined) throw new RangeError(`no call of rank ${rank}`)
    return call
  }

  /** Visits the calls in order; before each, `ended` is told of every call whose content has become usable by then. */
  sweep(visit: { ended(rank: number): void; started(rank: number): void }): void {
    let next = 0
    for (let rank = 0; rank < this.size; rank++) {
      for (; next < this.size; next++) {
        const ended = this.#byUsable[next]
        if (ended === undefined || (this.usableFrom[ended] ?? 0) > rank) break
        visit.ended(ended)
      }
      visit.started(rank)
    }
  }

  /** Whether a call of the lower rank had ended, slack allowed, when the other started. */
  mayCause(from: number, to: number): boolean {
    return (this.usableFrom[from] ?? Number.POSITIVE_INFINITY) <= to
  }
}

/** `true` when the first call ended later; ties go to the higher rank. */
export function endsLater(timeline: Timeline, a: number, b: number): boolean {
  const difference = timeline.at(a).endMs - timeline.at(b).endMs
  return difference > 0 || (difference === 0 && a > b)
}

/** Ranks sorted by a value each has; equal values keep the order of ranks. */
export function ranksBy(values: readonly number[]): number[] {
  return [...values.keys()].sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0))
}

function compareCalls(a: Call, b: Call): number {
  return a.startMs - b.startMs || a.endMs - b.endMs || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}

function firstAtLeast(sorted: readonly number[], value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}
