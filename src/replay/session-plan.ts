import type { GraphNode, ReplayGraph } from '../graph/index.ts'
import type { ToolDefinition } from '../message/index.ts'
import { standInTools } from './steer.ts'

/** What follows from a recorded session alone, for all that replay it. */
export interface SessionPlan {
  readonly steps: readonly Step[]
  readonly standInTools: readonly ToolDefinition[]
}

/** A call, and which ones wait for it. */
export interface Step {
  readonly node: GraphNode
  /** Its place among the session's steps. */
  readonly index: number
  readonly successors: readonly Step[]
  /** As the session begins. */
  readonly blocked: Blocked
}

/** A call that waits for its direct predecessors. */
export interface Blocked {
  readonly state: 'blocked'
  /** Predecessors that are not done. */
  readonly missing: number
  /** When the last of the others was. */
  readonly readyMs: number
}

const plans = new WeakMap<ReplayGraph, SessionPlan>()

/** Worked out once for each recorded session: thousands in flight may replay the same one. */
export function sessionPlan(graph: ReplayGraph): SessionPlan {
  const known = plans.get(graph)
  if (known !== undefined) return known
  const plan = { steps: stepsOf(graph.nodes), standInTools: standInTools(graph.session.calls) }
  plans.set(graph, plan)
  return plan
}

function stepsOf(nodes: readonly GraphNode[]): Step[] {
  const steps = nodes.map((node, index) => {
    const blocked: Blocked = { state: 'blocked', missing: node.edges.length, readyMs: 0 }
    return { node, index, successors: [] as Step[], blocked }
  })
  const byId = new Map(steps.map((step) => [step.node.call.id, step]))
  for (const step of steps) {
    for (const { from } of step.node.edges) byId.get(from)?.successors.push(step)
  }
  return steps
}
