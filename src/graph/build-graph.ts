import type { Call, Session } from '../message/index.ts'
import { type Cause, evidenceOf, kindOf } from './cause.ts'
import { HandOffFinder } from './hand-off.ts'
import { LineageFinder } from './lineage.ts'
import { type Reduction, reduce } from './reduce.ts'
import type { Edge, GraphNode, ReplayGraph, Splice } from './replay-graph.ts'
import { findTemporal } from './temporal.ts'
import { findThreads } from './threads.ts'
import { Timeline } from './timeline.ts'

/**
 * A session's calls → what each waits for, and which places of its input take an earlier call's live output.
 *
 * Causal edges come from content: a call goes on with another's history, carries its output or its tool-call ids, or was
 * handed its final text. Where content says nothing, time does. Then edges that others imply are dropped; splices stay. The
 * order of `session.calls` makes no difference.
 *
 * @example
 * for (const { call, edges, waitMs } of buildGraph(session).nodes) console.log(call.id, edges, waitMs)
 */
export function buildGraph(session: Session): ReplayGraph {
  const timeline = new Timeline(session.calls)
  const { causes, splices } = findCauses(timeline)
  const threads = findThreads(timeline, causes)
  const temporal = findTemporal(timeline, threads, causes)
  const reduction = reduce(
    causes.map((list, rank) => ({
      causes: [...list, ...(temporal.causes[rank] ?? [])],
      frontier: temporal.frontiers[rank],
    })),
  )
  const nodes = timeline.calls.map((call, rank): GraphNode => {
    const direct = reduction.direct[rank] ?? []
    return { call, edges: edgesOf(direct, timeline), waitMs: waitOf(call, direct, timeline), splices: splices[rank] ?? [] }
  })
  assertSplicesFollowEdges(nodes, reduction)
  return { session: { ...session, calls: timeline.calls }, nodes }
}

/** What content says, found in one pass over the calls in time. */
function findCauses(timeline: Timeline): { causes: Cause[][]; splices: Splice[][] } {
  const lineage = new LineageFinder(timeline)
  const handOffs = new HandOffFinder(timeline)
  const causes: Cause[][] = []
  const splices: Splice[][] = []
  timeline.sweep({
    ended(rank) {
      lineage.ended(rank)
      handOffs.ended(rank)
    },
    started(rank) {
      const history = lineage.started(rank)
      const handed = handOffs.started(rank)
      causes.push([...history.causes, ...handed.causes])
      splices.push([...history.splices, ...handed.splices].sort((a, b) => a.message - b.message))
    },
  })
  return { causes, splices }
}

function edgesOf(direct: readonly Cause[], timeline: Timeline): Edge[] {
  return direct
    .map((cause) => ({ from: timeline.at(cause.from).id, kind: kindOf(cause), evidence: evidenceOf(cause, timeline) }))
    .reverse()
}

function waitOf(call: Call, direct: readonly Cause[], timeline: Timeline): number {
  if (direct.length === 0) return 0
  const lastEndMs = direct.reduce((latest, { from }) => Math.max(latest, timeline.at(from).endMs), Number.NEGATIVE_INFINITY)
  return Math.max(0, call.startMs - lastEndMs)
}

/** A splice from a call that need not have ended would leave a request without its input. */
function assertSplicesFollowEdges(nodes: readonly GraphNode[], { isAncestor }: Reduction): void {
  const ranks = new Map(nodes.map(({ call }, rank) => [call.id, rank]))
  for (const [rank, { call, splices }] of nodes.entries()) {
    const stray = splices.find(({ from }) => !isAncestor(ranks.get(from) ?? rank, rank))
    if (stray !== undefined) throw new RangeError(`call ${call.id} takes the output of ${stray.from} but does not wait for it`)
  }
}
