/** A session's calls → its dependency graph. */
export { buildGraph } from './build-graph.ts'
export { dependencyGraph } from './dependency-graph.ts'
export type { Edge, EdgeKind, GraphNode, MessageSplice, ReplayGraph, Splice, TextSplice } from './replay-graph.ts'
