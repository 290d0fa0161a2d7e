import { CallSet } from './call-set.ts'
import { type Cause, isCausal } from './cause.ts'
import { areSiblings, encloses, type Scope, SpanTree, scopesOf } from './scopes.ts'
import type { Thread, Threads } from './threads.ts'
import { endsLater, ranksBy, type Timeline } from './timeline.ts'

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
 *    Other threads under way merely interleave with it and are never coupled.
 *
 * Nothing here reaches over an end by the clock slack but rule 1 and the x of rule 2b, which content holds from both sides.
 */

export interface TemporalDependencies {
  /** Per call; with a reason of their own. */
  readonly causes: readonly (readonly Cause[])[]
  /** Per call, the calls that had ended and are waited for. */
  readonly frontiers: readonly (CallSet | undefined)[]
}

/** Between the end of `opened` and the start of the first of `closed`, calls of one thread that go on with it. */
interface Gap {
  readonly thread: Thread
  readonly opened: number
  readonly closed: readonly number[]
}

export function findTemporal(timeline: Timeline, threads: Threads, known: readonly (readonly Cause[])[]): TemporalDependencies {
  const scopes = scopesOf(timeline, threads)
  const spans = new SpanTree(timeline)
  const causes: Cause[][] = timeline.calls.map(() => [])
  const frontiers: (CallSet | undefined)[] = []
  const settled = new SettledCalls(timeline.size, threads.all)
  let underWay: number[] = []

  for (const [index, thread] of threads.all.entries()) {
    const { root } = thread
    const scope = scopes[index] ?? []
    if (settled.advance(root)) underWay = underWay.filter((other) => (threads.all[other]?.settledFrom ?? 0) > root)
    const related = underWay.filter((other) => !areSiblings(scope, scopes[other] ?? []))
    const gap = gapAround(index, related, timeline, threads)
    if (gap !== undefined) closeGap(gap, thread, causes)
    if (!(known[root] ?? []).some(isCausal)) {
      if (gap !== undefined) causes[root]?.push(openGap(gap))
      const frontier = settled.without(spans.parallelTo(scope))
      for (const other of gap === undefined ? related.filter((each) => waitsFor(thread, scope, scopes[each] ?? [])) : [])
        addEnded(frontier, threads.all[other], root, timeline)
      if (gap !== undefined) addEnded(frontier, gap.thread, root, timeline)
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

/** The gap the thread ran in; of several, the one of a thread that content names, then the one opened last. */
function gapAround(index: number, underWay: readonly number[], timeline: Timeline, threads: Threads): Gap | undefined {
  const inside = threads.all[index]
  if (inside === undefined) return undefined
  let found: { gap: Gap; owned: boolean } | undefined
  for (const other of underWay) {
    const thread = threads.all[other]
    const gap = thread === undefined ? undefined : gapIn(thread, inside, timeline)
    if (gap === undefined) continue
    const owned = threads.owners[index]?.has(other) ?? false
    const better = found === undefined || (owned === found.owned ? endsLater(timeline, gap.opened, found.gap.opened) : owned)
    if (better) found = { gap, owned }
  }
  return found?.gap
}

function gapIn(thread: Thread, inside: Thread, timeline: Timeline): Gap | undefined {
  let opened: number | undefined
  let closed: number[] = []
  for (const { from, to } of thread.links) {
    if (!timeline.mayCause(from, inside.root) || inside.usableFrom > to) continue
    if (opened === from) closed.push(to)
    else if (opened === undefined || endsLater(timeline, from, opened)) {
      opened = from
      closed = [to]
    }
  }
  return opened === undefined ? undefined : { thread, opened, closed }
}

/** The calls of threads that have ended as a whole, as time goes on. */
class SettledCalls {
  readonly #threads: readonly Thread[]
  readonly #bySettling: readonly number[]
  readonly #calls: CallSet
  readonly #size: number
  #next = 0

  constructor(size: number, threads: readonly Thread[]) {
    this.#size = size
    this.#threads = threads
    this.#bySettling = ranksBy(threads.map((thread) => thread.settledFrom))
    this.#calls = new CallSet(size)
  }

  /** @returns whether any thread of several calls has settled since */
  advance(rank: number): boolean {
    let conversations = false
    for (; this.#next < this.#bySettling.length; this.#next++) {
      const thread = this.#threads[this.#bySettling[this.#next] ?? 0]
      if (thread === undefined || thread.settledFrom > rank) break
      for (const call of thread.calls) this.#calls.add(call)
      conversations ||= thread.calls.length > 1
    }
    return conversations
  }

  without(others: CallSet | undefined): CallSet {
    const calls = new CallSet(this.#size)
    calls.addAll(this.#calls)
    if (others !== undefined) calls.deleteAll(others)
    return calls
  }
}
