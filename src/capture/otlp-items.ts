import { conversationOf } from '../trace/index.ts'

/** One span or log record with what stands around it, as an OTLP/JSON request of its own. */
export interface OtlpItem {
  readonly kind: 'span' | 'log'
  /** `''` when it names none. */
  readonly traceId: string
  /** `''` when it names none. */
  readonly conversation: string
  /** A span without a parent: its trace is complete, or nearly. */
  readonly isRoot: boolean
  readonly request: object
}

type Json = Readonly<Record<string, unknown>>

/** Takes an export request apart. What is no span or log record (metrics, damaged entries) is left out. */
export function* itemsOf(document: unknown): Generator<OtlpItem> {
  if (!isObject(document)) return
  for (const [group, scopeSpans, spans] of records(document.resourceSpans, 'scopeSpans', 'spans')) {
    for (const span of spans)
      yield spanItem(span, { resourceSpans: [{ ...group, scopeSpans: [{ ...scopeSpans, spans: [span] }] }] })
  }
  for (const [group, scopeLogs, logRecords] of records(document.resourceLogs, 'scopeLogs', 'logRecords')) {
    for (const log of logRecords) {
      yield {
        kind: 'log',
        traceId: textOf(log.traceId),
        conversation: conversationIn(log.attributes),
        isRoot: false,
        request: { resourceLogs: [{ ...group, scopeLogs: [{ ...scopeLogs, logRecords: [log] }] }] },
      }
    }
  }
}

function spanItem(span: Json, request: object): OtlpItem {
  return {
    kind: 'span',
    traceId: textOf(span.traceId),
    conversation: conversationIn(span.attributes),
    isRoot: textOf(span.parentSpanId) === '',
    request,
  }
}

function* records(groups: unknown, scopes: string, entries: string): Generator<[resource: Json, scope: Json, entries: Json[]]> {
  for (const group of objectsIn(groups)) {
    for (const scoped of objectsIn(group[scopes])) {
      const { [scopes]: _scopes, ...resource } = group
      const { [entries]: _entries, ...scope } = scoped
      yield [resource, scope, objectsIn(scoped[entries])]
    }
  }
}

function conversationIn(attributes: unknown): string {
  const texts = objectsIn(attributes).map(({ key, value }): [string, string] => {
    return [textOf(key), isObject(value) ? textOf(value.stringValue) : '']
  })
  return conversationOf(new Map(texts.filter(([, text]) => text !== '')))
}

function objectsIn(list: unknown): Json[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
