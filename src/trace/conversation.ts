import type { Attributes } from './span.ts'

/** Where recorders say which conversation or session a span belongs to, the most deliberate first. */
const CONVERSATION_KEYS = [
  'gen_ai.conversation.id',
  'session.id',
  'langfuse.session.id',
  'langsmith.trace.session_id',
  'langsmith.metadata.thread_id',
  'langsmith.metadata.session_id',
  'traceloop.association.properties.session_id',
  'traceloop.association.properties.thread_id',
  'ai.telemetry.metadata.sessionId',
  'ai.telemetry.metadata.session_id',
  'exgentic.session.id',
  'gcp.vertex.agent.session_id',
]

/** @returns `''` when the span names none */
export function conversationOf(attributes: Attributes): string {
  for (const key of CONVERSATION_KEYS) {
    const value = attributes.get(key)
    if (typeof value === 'string' && value.length <= 256) return value
    if (typeof value === 'number') return String(value)
  }
  return ''
}
