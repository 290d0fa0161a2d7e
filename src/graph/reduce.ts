import { CallSet } from './call-set.ts'
import { type Cause, compareStrength } from './cause.ts'

/** What one call waits for, before reduction. */
export interface Dependencies {
  readonly causes: readonly Cause[]
  /** Further predecessors, which have no reason of their own but that they had ended. */
  readonly frontier?: CallSet | undefined
}

export interface Reduction {
  /** Per call, its direct predecessors with the strongest reason for each, latest rank first. */
  readonly direct: readonly (readonly Cause[])[]
  /** Whether one call comes before another, directly or not. */
  readonly isAncestor: (rank: number, of: number) => boolean
}

/**
 * Transitive reduction: keeps of each call's predecessors those that no other of its predecessors waits for already.
 *
 * Ranks are a topological order, so one pass does it: going through a call's predecessors from the latest, one that is
 * already an ancestor of those kept is redundant, and one that is not can never become so.
 */
export function reduce(dependencies: readonly Dependencies[]): Reduction {
  const ancestors: CallSet[] = []
  const direct = dependencies.map(({ causes, frontier }, rank) => {
    const { wanted, reasons } = gather(causes, frontier, rank)
    const covered = new CallSet(rank)
    const kept: Cause[] = []
    for (let from = wanted.highestOutside(covered, rank); from >= 0; from = wanted.highestOutside(covered, from)) {
      kept.push(reasons.get(from) ?? { from, reason: { type: 'ended-before' } })
      covered.add(from)
      const before = ancestors[from]
      if (before !== undefined) covered.addAll(before)
    }
    ancestors.push(covered)
    return kept
  })
  return { direct, isAncestor: (rank, of) => ancestors[of]?.has(rank) ?? false }
}

function gather(causes: readonly Cause[], frontier: CallSet | undefined, rank: number) {
  const wanted = new CallSet(rank)
  if (frontier !== undefined) wanted.addAll(frontier)
  const reasons = new Map<number, Cause>()
  for (const cause of causes) {
    if (cause.from >= rank) throw new RangeError(`call ${rank} cannot wait for call ${cause.from}, which comes later`)
    wanted.add(cause.from)
    const known = reasons.get(cause.from)
    if (known === undefined || compareStrength(cause.reason, known.reason) < 0) reasons.set(cause.from, cause)
  }
  return { wanted, reasons }
}
