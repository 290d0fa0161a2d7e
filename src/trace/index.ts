/** Any trace file → sessions of calls. */
export { conversationOf } from './conversation.ts'
export { readOtlpRequest } from './otlp-request.ts'
export { type ReadOptions, readSessions, readSessionsAsync, type TraceDocument, type TraceFile } from './read-sessions.ts'
export type { SessionBy, SpanFacts } from './session-by.ts'
