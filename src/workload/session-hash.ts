import { createHash } from 'node:crypto'
import type { ReplayGraph } from '../graph/index.ts'
import type { Message } from '../message/index.ts'

// Sessions repeat their history in every call, and messages are interned: each text is hashed once.
const digests = new WeakMap<Message, string>()
const hashes = new WeakMap<ReplayGraph, string>()

/** A content hash of what will be replayed: models, messages, tools, order and waits. Names and times of day are not in it. */
export function sessionHash(graph: ReplayGraph): string {
  const known = hashes.get(graph)
  if (known !== undefined) return known
  const hash = createHash('sha256')
  for (const { call, edges, waitMs, splices } of graph.nodes) {
    hash.update(JSON.stringify([call.id, call.model, call.params, edges.map((edge) => edge.from), waitMs, splices, call.tools]))
    for (const message of call.messages) hash.update(digest(message))
    if (call.output !== null) hash.update(digest(call.output))
  }
  const made = hash.digest('hex')
  hashes.set(graph, made)
  return made
}

function digest(message: Message): string {
  const known = digests.get(message)
  if (known !== undefined) return known
  const made = createHash('sha256').update(JSON.stringify(message)).digest('base64')
  digests.set(message, made)
  return made
}
