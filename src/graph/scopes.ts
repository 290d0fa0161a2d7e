import type { Call } from '../message/index.ts'
import type { Threads } from './threads.ts'
import { CLOCK_SLACK_MS, type Timeline } from './timeline.ts'

/**
 * The span that encloses a thread, as the path of span ids that leads to it; a single call's ends in the call itself. Empty
 * when the trace does not tell.
 */
export type Scope = readonly string[]

export function scopesOf(timeline: Timeline, { all }: Threads): Scope[] {
  return all.map(({ calls }) => {
    let scope: Scope | undefined
    for (const rank of calls) scope = scope === undefined ? pathOf(timeline.at(rank)) : common(scope, pathOf(timeline.at(rank)))
    return scope ?? []
  })
}

/** Neither encloses the other: somewhere they part into sibling spans. */
export function areSiblings(a: Scope, b: Scope): boolean {
  const shared = common(a, b).length
  return shared < a.length && shared < b.length
}

/** The first is known and lies strictly around the second. */
export function encloses(outer: Scope, inner: Scope): boolean {
  return outer.length > 0 && outer.length < inner.length && common(outer, inner).length === outer.length
}

interface Span {
  readonly id: string
  /** From the first start to the last end of the calls below. */
  startMs: number
  endMs: number
  readonly children: Span[]
  /** Threads that lie in it as a whole. */
  readonly threads: number[]
}

/** When the spans around the calls were at work, as far as their calls tell. */
export class SpanTree {
  readonly #spans = new Map<string, Span>()

  constructor(timeline: Timeline, scopes: readonly Scope[]) {
    for (const call of timeline.calls) this.#addCall(call)
    for (const [index, scope] of scopes.entries()) for (const id of scope) this.#spans.get(id)?.threads.push(index)
  }

  /**
   * Threads in spans that were at work at the same time as a span around this thread and have the same parent: parallel
   * branches, independent even where a call of one happens to have ended before a call of the other.
   *
   * @param untilMs spans that began later are of no interest
   */
  *parallelTo(scope: Scope, untilMs: number): Generator<number> {
    for (const [depth, id] of scope.entries()) {
      const span = this.#spans.get(id)
      const parent = depth === 0 ? undefined : this.#spans.get(scope[depth - 1] ?? '')
      if (span === undefined || parent === undefined) continue
      for (const sibling of parent.children) {
        // Children stand in the order of their first calls.
        if (sibling.startMs >= untilMs) break
        if (sibling !== span && sibling.endMs > span.startMs + CLOCK_SLACK_MS) yield* sibling.threads
      }
    }
  }

  #addCall(call: Call): void {
    let parent: Span | undefined
    for (const id of pathOf(call)) {
      let span = this.#spans.get(id)
      if (span === undefined) {
        span = { id, startMs: call.startMs, endMs: call.endMs, children: [], threads: [] }
        this.#spans.set(id, span)
        parent?.children.push(span)
      }
      span.startMs = Math.min(span.startMs, call.startMs)
      span.endMs = Math.max(span.endMs, call.endMs)
      parent = span
    }
  }
}

/** A call without a parent has lost its place in the tree rather than being a tree of its own. */
function pathOf(call: Call): Scope {
  return call.spanPath.length === 0 ? [] : [...call.spanPath, call.id]
}

function common(a: Scope, b: Scope): Scope {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length++
  return length === a.length ? a : a.slice(0, length)
}
