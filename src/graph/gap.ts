import type { Thread, Threads } from './threads.ts'
import { endsLater, type Timeline } from './timeline.ts'

/** Between the end of `opened` and the start of the first of `closed`, calls of one thread that go on with it. */
export interface Gap {
  readonly thread: number
  readonly opened: number
  readonly closed: readonly number[]
}

/** The gap the thread ran in; of several, the one of a thread that content names, then the one opened last. */
export function gapAround(index: number, underWay: readonly number[], timeline: Timeline, threads: Threads): Gap | undefined {
  const inside = threads.all[index]
  if (inside === undefined) return undefined
  let found: { gap: Gap; owned: boolean } | undefined
  for (const thread of underWay) {
    const gap = gapIn(thread, inside, timeline, threads)
    if (gap === undefined) continue
    const owned = threads.owners[index]?.has(thread) ?? false
    const better = found === undefined || (owned === found.owned ? endsLater(timeline, gap.opened, found.gap.opened) : owned)
    if (better) found = { gap, owned }
  }
  return found?.gap
}

function gapIn(thread: number, inside: Thread, timeline: Timeline, threads: Threads): Gap | undefined {
  let opened: number | undefined
  let closed: number[] = []
  for (const { from, to } of threads.all[thread]?.links ?? []) {
    if (!timeline.mayCause(from, inside.root) || inside.usableFrom > to) continue
    if (opened === from) closed.push(to)
    else if (opened === undefined || endsLater(timeline, from, opened)) {
      opened = from
      closed = [to]
    }
  }
  return opened === undefined ? undefined : { thread, opened, closed }
}
