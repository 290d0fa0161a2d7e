import { type Cause, compareStrength, isCausal, isLineage } from './cause.ts'
import { endsLater, type Timeline } from './timeline.ts'

/**
 * A conversation: calls of which each goes on with an earlier one's history. A call that goes on with none, or gathers the
 * outputs of several, starts a thread of its own; a call that two others go on with makes its thread a tree.
 */
export interface Thread {
  /** Ranks in order; the first is the root. */
  readonly calls: readonly number[]
  readonly root: number
  /** The lowest rank that starts after all its calls have ended, without slack. */
  readonly settledFrom: number
  /** The lowest rank that all its calls may have caused. */
  readonly usableFrom: number
  /** Calls and the one in the thread each goes on with. */
  readonly links: readonly { readonly from: number; readonly to: number }[]
}

export interface Threads {
  readonly all: readonly Thread[]
  /** Per call, the index of its thread. */
  readonly of: readonly number[]
  /**
   * Per thread, the threads it ran for as far as content tells: those that took its answers, and the one that handed its root
   * the task.
   */
  readonly owners: readonly ReadonlySet<number>[]
}

export function findThreads(timeline: Timeline, causes: readonly (readonly Cause[])[]): Threads {
  const of: number[] = []
  const members: { calls: number[]; links: { from: number; to: number }[] }[] = []
  for (let rank = 0; rank < timeline.size; rank++) {
    const from = predecessorInThread(timeline, causes[rank] ?? [], of)
    const index = from === undefined ? members.length : (of[from] ?? 0)
    of.push(index)
    const thread = members[index]
    if (thread === undefined || from === undefined) members.push({ calls: [rank], links: [] })
    else {
      thread.calls.push(rank)
      thread.links.push({ from, to: rank })
    }
  }
  const all = members.map(({ calls, links }): Thread => {
    let settledFrom = 0
    let usableFrom = 0
    for (const rank of calls) {
      settledFrom = Math.max(settledFrom, timeline.endedFrom[rank] ?? 0)
      usableFrom = Math.max(usableFrom, timeline.usableFrom[rank] ?? 0)
    }
    return { calls, links, root: calls[0] ?? 0, settledFrom, usableFrom }
  })
  return { all, of, owners: findOwners(causes, of, all) }
}

/** The strongest lineage; none when the call gathers outputs of several threads without going on with one of them. */
function predecessorInThread(timeline: Timeline, causes: readonly Cause[], of: readonly number[]): number | undefined {
  let primary: Cause | undefined
  let gathers = false
  for (const cause of causes) {
    if (!isLineage(cause)) continue
    if (primary !== undefined && of[primary.from] !== of[cause.from]) gathers = true
    const order = primary === undefined ? -1 : compareStrength(cause.reason, primary.reason)
    if (primary === undefined || order < 0 || (order === 0 && endsLater(timeline, cause.from, primary.from))) primary = cause
  }
  const continues = primary?.reason.type === 'context' || primary?.reason.type === 'continued-input'
  return gathers && !continues ? undefined : primary?.from
}

function findOwners(causes: readonly (readonly Cause[])[], of: readonly number[], all: readonly Thread[]): Set<number>[] {
  const owners = all.map(() => new Set<number>())
  for (const [rank, list] of causes.entries()) {
    const to = of[rank] ?? 0
    for (const cause of list) {
      const from = of[cause.from] ?? 0
      if (from === to || !isCausal(cause)) continue
      owners[from]?.add(to)
      if (all[to]?.root === rank) owners[to]?.add(from)
    }
  }
  return owners
}
