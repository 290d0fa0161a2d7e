/** Any trace file → sessions of calls. */
export { type ReadOptions, readSessions, readSessionsAsync, type TraceDocument, type TraceFile } from './read-sessions.ts'
