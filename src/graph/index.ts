/** A session's calls → its dependency graph. */
export type { Edge, EdgeKind, GraphNode, MessageSplice, ReplayGraph, Splice, TextSplice } from './replay-graph.ts'
