import type { Warning } from '../base/index.ts'
import type { Session } from '../message/index.ts'
import { readSessions } from './read-sessions.ts'

/** A span as a test wants to write it; times in milliseconds from `EPOCH_MS`. */
export interface SpanSketch {
  readonly id: string
  readonly trace?: string
  readonly parent?: string
  readonly name?: string
  readonly scope?: string
  readonly start?: number
  readonly end?: number
  readonly error?: string
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly events?: readonly EventSketch[]
}

export interface EventSketch {
  readonly name: string
  readonly attributes: Readonly<Record<string, unknown>>
}

export const EPOCH_MS = Date.UTC(2026, 0, 2, 3, 4, 5)

/** A call of the GenAI conventions: input and output as JSON text. */
export function chat(
  id: string,
  start: number,
  end: number,
  input: unknown,
  output: unknown,
  more: Partial<SpanSketch> = {},
): SpanSketch {
  const content = (key: string, value: unknown) =>
    value === null ? {} : { [key]: typeof value === 'string' ? value : JSON.stringify(value) }
  return {
    id,
    name: 'chat m',
    start,
    end,
    ...more,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'm',
      ...content('gen_ai.input.messages', input),
      ...content('gen_ai.output.messages', output),
      ...more.attributes,
    },
  }
}

export const user = (content: string) => ({ role: 'user', content })
export const assistant = (content: string) => ({ role: 'assistant', content })

export function flatFile(spans: readonly SpanSketch[], about: object = { trace_id: 'flat' }): string {
  return JSON.stringify({ ...about, spans: spans.map(flatSpan) })
}

function flatSpan({ id, trace, parent, name, scope, start, end, error, attributes }: SpanSketch) {
  const time = (ms: number | undefined) => (ms === undefined ? undefined : new Date(EPOCH_MS + ms).toISOString())
  return {
    span_id: id,
    trace_id: trace ?? 'flat',
    parent_span_id: parent ?? null,
    name: name ?? id,
    scope: { name: scope ?? '' },
    start_time: time(start),
    end_time: time(end),
    status: error === undefined ? { code: 0 } : { code: 2, message: error },
    attributes: attributes ?? {},
  }
}

export function otlpFile(spans: readonly SpanSketch[], logs: readonly object[] = []): string {
  return JSON.stringify({
    resourceSpans: spans.map((span) => ({
      resource: { attributes: keyValues({ 'service.name': 'agent' }) },
      scopeSpans: [{ scope: { name: span.scope ?? '' }, spans: [otlpSpan(span)] }],
    })),
    resourceLogs: [{ scopeLogs: [{ logRecords: logs }] }],
  })
}

function otlpSpan({ id, trace, parent, name, start, end, error, attributes, events }: SpanSketch) {
  const time = (ms: number | undefined) => (ms === undefined ? undefined : `${EPOCH_MS + ms}000000`)
  return {
    spanId: id,
    traceId: trace ?? 'trace',
    parentSpanId: parent,
    name: name ?? id,
    startTimeUnixNano: time(start),
    endTimeUnixNano: time(end),
    status: error === undefined ? {} : { code: 2, message: error },
    attributes: keyValues(attributes ?? {}),
    ...(events !== undefined && {
      events: events.map((event) => ({ name: event.name, attributes: keyValues(event.attributes) })),
    }),
  }
}

function keyValues(attributes: Readonly<Record<string, unknown>>) {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }))
}

export function anyValue(value: unknown): object {
  if (value === null || value === undefined) return {}
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } }
  return { kvlistValue: { values: keyValues(value as Record<string, unknown>) } }
}

export interface Reading {
  readonly sessions: readonly Session[]
  readonly warnings: readonly Warning[]
}

/** Files are named `a`, `b`, … in their order. */
export function readFiles(files: readonly (string | Uint8Array)[], onInvalidTrace: 'fail' | 'skip' = 'fail'): Reading {
  const warnings: Warning[] = []
  const traceFiles = files.map((file, index) => ({
    name: String.fromCharCode(97 + index),
    bytes: typeof file === 'string' ? Buffer.from(file) : file,
  }))
  const sessions = [...readSessions(traceFiles, { warn: (warning) => warnings.push(warning), onInvalidTrace })]
  return { sessions, warnings }
}

/** The only call of a reading. */
export function oneCall({ sessions }: Reading) {
  const [call, ...others] = sessions.flatMap(({ calls }) => calls)
  if (call === undefined || others.length > 0)
    throw new Error(`Expected one call, found ${others.length + (call === undefined ? 0 : 1)}.`)
  return call
}

/** Ids of the calls of each session. */
export function callIds({ sessions }: Reading): string[][] {
  return sessions.map(({ calls }) => calls.map(({ id }) => id))
}
