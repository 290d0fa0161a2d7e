import type { Call } from '../message/index.ts'
import { CallSet } from './call-set.ts'
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
  readonly parent: Span | undefined
  /** From the first start to the last end of the calls below. */
  startMs: number
  endMs: number
  /** Ranks of the calls below. */
  readonly calls: number[]
  readonly children: Span[]
  /** Children with several calls. */
  branches?: readonly Span[]
  /** Calls in parallel to it, once `isSettled`; `undefined` when there are none. */
  parallel: CallSet | undefined
  isSettled: boolean
}

/** When the spans around the calls were at work, as far as their calls tell. */
export class SpanTree {
  readonly #spans = new Map<string, Span>()
  readonly #size: number

  constructor(timeline: Timeline) {
    this.#size = timeline.size
    for (const [rank, call] of timeline.calls.entries()) this.#addCall(rank, call)
  }

  /**
   * Calls below spans that were at work at the same time as a span around this scope and have the same parent: parallel
   * branches, independent even where a call of one happens to have ended before a call of the other.
   */
  parallelTo(scope: Scope): CallSet | undefined {
    let outer: CallSet | undefined
    for (const id of scope) {
      const span = this.#spans.get(id)
      if (span === undefined) continue
      if (!span.isSettled) span.parallel = this.#withParallelSiblings(span, outer)
      span.isSettled = true
      outer = span.parallel
    }
    return outer
  }

  #withParallelSiblings(span: Span, outer: CallSet | undefined): CallSet | undefined {
    const siblings = this.#siblingsOf(span).filter(
      (sibling) => sibling !== span && sibling.startMs < span.endMs && sibling.endMs > span.startMs + CLOCK_SLACK_MS,
    )
    if (siblings.length === 0) return outer
    const calls = new CallSet(this.#size)
    if (outer !== undefined) calls.addAll(outer)
    for (const sibling of siblings) for (const rank of sibling.calls) calls.add(rank)
    return calls
  }

  /** Of two single calls at one time neither had ended before the other: to a call, only siblings with several matter. */
  #siblingsOf({ parent, calls }: Span): readonly Span[] {
    if (parent === undefined) return []
    if (calls.length > 1) return parent.children
    parent.branches ??= parent.children.filter((child) => child.calls.length > 1)
    return parent.branches
  }

  #addCall(rank: number, call: Call): void {
    let parent: Span | undefined
    for (const id of pathOf(call)) {
      let span = this.#spans.get(id)
      if (span === undefined) {
        span = {
          parent,
          startMs: call.startMs,
          endMs: call.endMs,
          calls: [],
          children: [],
          parallel: undefined,
          isSettled: false,
        }
        this.#spans.set(id, span)
        parent?.children.push(span)
      }
      span.startMs = Math.min(span.startMs, call.startMs)
      span.endMs = Math.max(span.endMs, call.endMs)
      span.calls.push(rank)
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
