import type { Dialect } from './dialects/index.ts'
import type { LogRecord, Span } from './span.ts'

/** A record is written a moment before the span starts or after it ends, by a clock of its own. */
const SLACK_MS = 1_000

/** How many calls under way at one moment are asked whether a record is theirs. */
const NEARBY = 256

/**
 * Finds log records that belong to a call though they name another span, such as the one around it. Of several calls that a
 * record could belong to, it is given to the last to start of those under way, else to the nearest in time.
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
    const owners = claimants.slice(Math.max(0, after - NEARBY), after).filter(({ span, owns }) => {
      return log.timeMs <= span.endMs + SLACK_MS && owns(span, log)
    })
    const owner = owners.findLast(({ span }) => span.startMs <= log.timeMs && log.timeMs <= span.endMs) ?? nearest(owners, log)
    if (owner === undefined) continue
    const known = claims.get(owner.span)
    if (known === undefined) claims.set(owner.span, [log])
    else known.push(log)
  }
  return claims
}

function nearest<Claimant extends { readonly span: Span }>(
  owners: readonly Claimant[],
  { timeMs }: LogRecord,
): Claimant | undefined {
  const distance = ({ span }: Claimant) => Math.min(Math.abs(span.startMs - timeMs), Math.abs(span.endMs - timeMs))
  return owners.toSorted((a, b) => distance(a) - distance(b))[0]
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
