import type { CallSet } from './call-set.ts'
import { type Cause, isCausal } from './cause.ts'
import { Errands } from './errands.ts'
import { type Gap, gapAround } from './gap.ts'
import { areSiblings, encloses, type Scope, SpanTree, scopesOf } from './scopes.ts'
import { SettledCalls } from './settled-calls.ts'
import type { Thread, Threads } from './threads.ts'
import type { Timeline } from './timeline.ts'

/*
 * Edges from time, where content says nothing. They join threads (conversations), of which most have a single call.
 *
 * A thread runs *for* another one when it lies in a gap between two calls x → y of it: after x, which may have asked for it,
 * and before y, which may have used it. Of several gaps, those of threads that content names (they took an answer of this
 * thread, or handed it its task) come first; then the one opened last, being the innermost. Spans that part into siblings
 * and were at work at the same time are parallel branches: neither runs for the other.
 *
 * 1. y waits for every call of a thread that ran in the gap before it.
 * 2. A call without any predecessor from content waits for calls that ended before it started:
 *    a. those of threads that had ended as a whole, unless a parallel branch of the span tree holds them;
 *    b. those of the thread it runs for;
 *    c. when it runs for none, those of each thread under way whose span encloses its own, or, when it is a thread of one
 *       call, of each thread under way that is no sibling: a branch of a fan-out, a side call.
 *    Other threads under way merely interleave with it and are never coupled, nor is what ran for them.
 *
 * Nothing here reaches over an end by the clock slack but rule 1 and the x of rule 2b, which content holds from both sides.
 */

export interface TemporalDependencies {
  /** Per call; with a reason of their own. */
  readonly causes: readonly (readonly Cause[])[]
  /** Per call, the calls that had ended and are waited for. */
  readonly frontiers: readonly (CallSet | undefined)[]
}

export function findTemporal(timeline: Timeline, threads: Threads, known: readonly (readonly Cause[])[]): TemporalDependencies {
  const scopes = scopesOf(timeline, threads)
  const spans = new SpanTree(timeline)
  const causes: Cause[][] = timeline.calls.map(() => [])
  const frontiers: (CallSet | undefined)[] = []
  const settled = new SettledCalls(timeline.size, threads.all)
  const errands = new Errands(timeline.size)
  let underWay: number[] = []

  for (const [index, thread] of threads.all.entries()) {
    const { root } = thread
    const scope = scopes[index] ?? []
    if (settled.advance(root)) underWay = underWay.filter((other) => (threads.all[other]?.settledFrom ?? 0) > root)
    const related = underWay.filter((other) => !areSiblings(scope, scopes[other] ?? []))
    const gap = gapAround(index, related, timeline, threads)
    if (gap !== undefined) {
      closeGap(gap, thread, causes)
      errands.add(index, thread, gap.thread)
    }
    if (!(known[root] ?? []).some(isCausal)) {
      const awaited = gap === undefined ? related.filter((other) => waitsFor(thread, scope, scopes[other] ?? [])) : [gap.thread]
      const frontier = settled.without(spans.parallelTo(scope), errands.foreign(underWay, awaited))
      for (const other of awaited) addEnded(frontier, threads.all[other], root, timeline)
      if (gap !== undefined) causes[root]?.push(openGap(gap))
      frontiers[root] = frontier
    }
    if (thread.calls.length > 1) underWay.push(index)
  }
  return { causes, frontiers }
}

/** Whether a thread that runs for none waits for what has ended of another one under way. */
function waitsFor(thread: Thread, scope: Scope, other: Scope): boolean {
  return thread.calls.length === 1 || encloses(other, scope)
}

function addEnded(frontier: CallSet, thread: Thread | undefined, root: number, timeline: Timeline): void {
  for (const rank of thread?.calls ?? []) if ((timeline.endedFrom[rank] ?? root + 1) <= root) frontier.add(rank)
}

function openGap({ opened, closed }: Gap): Cause {
  return { from: opened, reason: { type: 'gap-opened', next: closed[0] ?? opened } }
}

function closeGap(gap: Gap, inside: Thread, causes: readonly Cause[][]): void {
  for (const to of gap.closed)
    for (const from of inside.calls) causes[to]?.push({ from, reason: { type: 'gap-closed', previous: gap.opened } })
}
