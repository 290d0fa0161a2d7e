import type { FileReport } from '../file-report.ts'
import type { Attributes, LogRecord, Span } from '../span.ts'

/**
 * How spans stand in a document: OTLP, a flat list, the export of some tool. What a span means is the business of a dialect.
 *
 * To teach the project another container, add a file beside this one and its `Container` to the list in `index.ts`.
 *
 * - It is told by content, never by the file's name: `recognises` looks at the top of the document.
 * - `read` turns each span into a `Span` and loses nothing that a dialect may want: attributes as stored (`toAttributes` drops
 *   those without a value; JSON inside texts stays text), events, resource, scope. Attributes that the format nests are written
 *   with dotted names again; lists that a format flattened stay flat.
 * - Log records go to `logs`. Where one names a span, it becomes an event of that span, be it in this file or another.
 * - Ids go through `readId` or `readByteId`, times through `time.ts`. A time that is missing is `NaN`; the layer above decides.
 * - A span that cannot be read (no object, no id) goes to `report.refuse('INVALID_TRACE', …, 'spans[3]')` and is left out; its
 *   neighbours are read. What is repaired or ignored goes to `report.note`.
 * - `read` may be lazy: `spans` and `logs` are gone through once, spans first.
 * - Documents are untrusted: no object is indexed by a name from the file, nothing recurses without a bound.
 */
export interface Container {
  readonly name: string
  /** For the error about an unknown document: how one of these begins. */
  readonly looksLike: string
  recognises(document: unknown): boolean
  read(document: unknown, report: FileReport): SpanBatch
}

/** The spans of one document. */
export interface SpanBatch {
  /**
   * Set when the document is one session by itself, whatever its trace ids say; absent when its spans are to be grouped by
   * conversation or trace, together with those of other documents and files.
   */
  readonly session?: {
    /** `''` when the document names none. */
    readonly id: string
    readonly attributes: Attributes
  }
  readonly spans: Iterable<Span>
  readonly logs: Iterable<LogRecord>
}
