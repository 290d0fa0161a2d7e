import { conversationOf } from './conversation.ts'
import type { Span } from './span.ts'

/**
 * Which session a span belongs to: spans with the same answer are one. `undefined` leaves a span to those around it, and a
 * trace that no span of which says anything is a session by itself.
 *
 * @example
 * sessionBy: ({ attributes }) => attributes.get('ticket.id')
 */
export type SessionBy = (span: SpanFacts) => string | undefined

/** What a span's session may be told by. Values are as recorded. */
export type SpanFacts = Pick<Span, 'name' | 'traceId' | 'scope' | 'attributes' | 'resource'>

/** The conversation or session id of the conventions and of the recorders that have one of their own. */
export const defaultSession: SessionBy = ({ attributes }) => conversationOf(attributes)
