import type { Dialect } from './dialects/index.ts'
import type { LogRecord, Span } from './span.ts'

/** A record is written a moment before the span starts or after it ends, by a clock of its own. */
const SLACK_MS = 1_000

/** How many calls under way at one moment are asked whether a record is theirs. */
const NEARBY = 256

/**
 * Finds log records that belong to a call though they name another span, such as the one around it. Of several calls that a
 * record could belong to, it is given to the one that started last.
 *
 * @param logs records that name no call
 */
export function claimLogs(
  logs: Iterable<LogRecord>,
  calls: readonly { readonly span: Span; readonly dialects: readonly Dialect[] }[],
): Map<Span, LogRecord[]> {
  const claims = new Map<Span, LogRecord[]>()
  const claimants = calls
    .flatMap(({ span, dialects }) => dialects.flatMap(({ owns }) => (owns === undefined ? [] : [{ span, owns }])))
    .sort((a, b) => a.span.startMs - b.span.startMs)
  if (claimants.length === 0) return claims
  for (const log of logs) {
    const after = firstAfter(claimants, log.timeMs + SLACK_MS)
    const owner = claimants.slice(Math.max(0, after - NEARBY), after).findLast(({ span, owns }) => {
      return log.timeMs <= span.endMs + SLACK_MS && owns(span, log)
    })
    if (owner === undefined) continue
    const known = claims.get(owner.span)
    if (known === undefined) claims.set(owner.span, [log])
    else known.push(log)
  }
  return claims
}

/** Index of the first that started after a time, by halving. */
function firstAfter(sorted: readonly { readonly span: Span }[], timeMs: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle]?.span.startMs ?? 0) <= timeMs) low = middle + 1
    else high = middle
  }
  return low
}
