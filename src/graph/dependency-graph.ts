import { DirectedGraph } from 'graphology'
import type { Call } from '../message/index.ts'
import type { Edge, ReplayGraph } from './replay-graph.ts'

export interface DependencyNode {
  readonly call: Call
  readonly [attribute: string]: unknown
}

/**
 * The same graph for graph algorithms: a graphology graph whose nodes are keyed by position in `graph.nodes` and carry the
 * call, and whose edges lead from predecessor to successor and carry the {@link Edge}.
 */
export function dependencyGraph({ nodes }: ReplayGraph): DirectedGraph<DependencyNode, Edge & Record<string, unknown>> {
  const graph = new DirectedGraph<DependencyNode, Edge & Record<string, unknown>>()
  const keys = new Map<string, number>()
  for (const [index, { call }] of nodes.entries()) {
    keys.set(call.id, index)
    graph.addNode(index, { call })
  }
  for (const [index, { edges }] of nodes.entries())
    for (const edge of edges) graph.addDirectedEdge(keys.get(edge.from), index, { ...edge })
  return graph
}
