/**
 * A span, however its file stored it: what containers yield and dialects read.
 *
 * Attributes are a map, because their names are chosen by whoever wrote the trace. Attributes without a value (null, `''`,
 * an empty list or object) are not in it: rows of a fixed schema carry every key on every span. A value is kept as stored;
 * JSON inside a text is parsed by the dialect that wants it, and by nobody else.
 */
export interface Span {
  /** Lower-case hex where the file holds bytes; a plain name stays as it is. Never empty. */
  readonly id: string
  /** `''` when the file has none. */
  readonly traceId: string
  /** `''` for a root. */
  readonly parentId: string
  readonly name: string
  /** Name of the instrumentation scope, `''` when the file has none. */
  readonly scope: string
  readonly kind: SpanKind
  /** Milliseconds since 1970 with fractions, `NaN` when missing or unreadable. */
  readonly startMs: number
  readonly endMs: number
  readonly status: SpanStatus
  readonly attributes: Attributes
  /** In file order. Log records that name the span are among them. */
  readonly events: readonly SpanEvent[]
  readonly resource: Attributes
}

export type SpanKind = 'unspecified' | 'internal' | 'server' | 'client' | 'producer' | 'consumer'

export interface SpanStatus {
  readonly code: 'unset' | 'ok' | 'error'
  readonly message: string
}

export type Attributes = ReadonlyMap<string, AttributeValue>

export type AttributeValue =
  | string
  | number
  | boolean
  | null
  | readonly AttributeValue[]
  | { readonly [key: string]: AttributeValue }

/** An event of a span, or a log record that belongs to it. */
export interface SpanEvent {
  readonly name: string
  /** Milliseconds since 1970 with fractions, `NaN` when missing. */
  readonly timeMs: number
  readonly attributes: Attributes
  /** Only log records have one. */
  readonly body: AttributeValue
}

/** A log record and the span it names; the span may stand in another file. */
export interface LogRecord extends SpanEvent {
  readonly traceId: string
  readonly spanId: string
}
