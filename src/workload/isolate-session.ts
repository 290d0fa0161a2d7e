import type { GraphNode, ReplayGraph, Splice } from '../graph/index.ts'
import { type Message, prefixMessage } from '../message/index.ts'

/**
 * The same session with a marker at the head of its first messages, so that a server's prefix cache shares nothing
 * between it and its twins, while calls of the session itself go on sharing their history.
 *
 * @param label what the marker says
 */
export function isolateSession(graph: ReplayGraph, id: string, label = id): ReplayGraph {
  const marker = `[${label}]\n`
  const marked = new Map<Message, Message>()
  const mark = (message: Message): Message => {
    const known = marked.get(message)
    if (known !== undefined) return known
    const made = prefixMessage(message, marker)
    marked.set(message, made)
    return made
  }
  const inserted: Message = { role: 'system', parts: [{ type: 'text', text: marker }] }
  const nodes = graph.nodes.map((node) => isolateNode(node, mark, inserted, marker.length))
  return { session: { ...graph.session, id, calls: nodes.map((node) => node.call) }, nodes }
}

function isolateNode(node: GraphNode, mark: (message: Message) => Message, inserted: Message, shift: number): GraphNode {
  const [first, ...rest] = node.call.messages
  if (first !== undefined && canCarryMarker(first)) {
    const splices = node.splices.map((splice) => shiftText(splice, shift))
    return { ...node, call: { ...node.call, messages: [mark(first), ...rest] }, splices }
  }
  const splices = node.splices.map((splice) => ({ ...splice, message: splice.message + 1 }))
  return { ...node, call: { ...node.call, messages: [inserted, ...node.call.messages] }, splices }
}

function canCarryMarker(message: Message): boolean {
  return (message.role === 'system' || message.role === 'user') && message.parts[0]?.type === 'text'
}

function shiftText(splice: Splice, shift: number): Splice {
  if (splice.kind !== 'text' || splice.message !== 0 || splice.part !== 0) return splice
  return { ...splice, start: splice.start + shift, end: splice.end + shift }
}
