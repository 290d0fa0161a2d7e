/** Any trace file → sessions of calls. */
export { type ReadOptions, readSessions, type TraceFile } from './read-sessions.ts'
