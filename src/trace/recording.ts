import type { Interner } from '../message/index.ts'
import { textAt } from './attributes.ts'
import type { SpanBatch } from './containers/container.ts'
import { ContentReader, type UnreadableContent } from './content-reader.ts'
import { shortened } from './describe-value.ts'
import { type Advice, type Dialect, dialects } from './dialects/index.ts'
import type { FileReport } from './file-report.ts'
import { hasInput, richer } from './merge-drafts.ts'
import { callDialectsOf, readDraft } from './read-draft.ts'
import { errorOf, labelsOf, type RecordedCall } from './recorded-call.ts'
import { defaultSession, type SessionBy } from './session-by.ts'
import type { SharedTexts } from './shared-texts.ts'
import type { LogRecord, Span } from './span.ts'
import { type SpanNode, SpanTree, spanKey } from './span-tree.ts'
import { claimLogs } from './stray-logs.ts'
import { UniqueNames } from './unique-names.ts'

/** The spans of a document, with its long texts where they were told apart. */
export type DocumentBatch = SpanBatch & { readonly texts?: SharedTexts | undefined }

/** What one file held, for the error when it yields nothing. */
export interface FileTally {
  readonly report: FileReport
  readonly traces: Set<string>
  /** How often each operation was seen, among spans that are no call. */
  readonly operations: Map<string, number>
  spans: number
  /** Spans that are calls, with content or without, read or refused. */
  calls: number
  refused: number
  /** How the recorder of its calls is made to record content, where that is known. */
  advice: string | undefined
}

/** A call that lacks input or output: log records that hold them may still come, from another file. */
interface Incomplete {
  readonly span: Span
  /** How many events and log records it had when it was read. */
  readonly known: number
  readonly dialects: readonly Dialect[]
}

/**
 * Gathers the calls of an input set, file by file. Content is read as soon as its file is complete; then only the calls and the
 * shape of the span tree are kept, not the spans.
 */
export class Recording {
  readonly tree = new SpanTree()
  readonly tallies: FileTally[] = []
  readonly #interner: Interner
  readonly #sessionBy: SessionBy
  readonly #calls = new Map<SpanNode, RecordedCall>()
  readonly #incomplete = new Map<SpanNode, Incomplete>()
  readonly #logs = new Map<string, LogRecord[]>()
  readonly #tools: SpanNode[] = []
  readonly #enclosing = new Set<SpanNode>()
  /** Calls whose spans go on after them, and when something began, by trace, that says they are over. */
  readonly #openEnded = new Set<SpanNode>()
  readonly #ends = new Map<string, number[]>()
  /** Of the span that is being read. */
  #place = ''
  /** Tells apart spans that claim one id. */
  readonly #ids = new UniqueNames()

  constructor(interner: Interner, sessionBy: SessionBy = defaultSession) {
    this.#interner = interner
    this.#sessionBy = sessionBy
  }

  /** Takes all documents of one file. */
  add(batches: readonly DocumentBatch[], report: FileReport): void {
    const tally: FileTally = {
      report,
      traces: new Set(),
      operations: new Map(),
      spans: 0,
      calls: 0,
      refused: 0,
      advice: undefined,
    }
    this.tallies.push(tally)
    const spans = new Map<string, Span>()
    for (const batch of batches) {
      for (const span of batch.spans) this.#addSpan(span, spans, report)
      for (const log of batch.logs) this.#addLog(log, tally)
    }
    // In the order of time each call finds the history that it continues already read.
    const inTime = [...spans.values()].sort((a, b) => a.startMs - b.startMs)
    const texts = batches.flatMap((batch) => batch.texts ?? [])
    const content = this.#contentReader(spans, report, texts)
    for (const span of inTime) this.#readSpan(span, content, tally)
  }

  /** All calls, those without content among them: they may tell the time and tokens of another. */
  finish(): RecordedCall[] {
    this.#claimStrayLogs()
    for (const [node, { span, known, dialects }] of this.#incomplete) {
      const call = this.#calls.get(node)
      const complete = this.#withLogs(span)
      if (call === undefined || complete.events.length === known) continue
      this.#place = call.place
      const { draft, fault } = readDraft(complete, dialects, this.#contentReader(new Map(), call.report))
      // The spans around it were at hand the first time only.
      if (draft !== undefined) this.#calls.set(node, { ...call, draft: richer(draft, call.draft) })
      else if (fault !== undefined) this.#refuse(node, span, fault, call.report)
    }
    this.#endBeforeTools()
    this.#endWhereTheNextBegins()
    return [...this.#calls.values()]
  }

  #endWhereTheNextBegins(): void {
    for (const times of this.#ends.values()) times.sort((a, b) => a - b)
    for (const node of this.#openEnded) {
      const call = this.#calls.get(node)
      const times = this.#ends.get(node.traceId) ?? []
      const next = times[countUpTo(times, node.startMs)]
      if (call !== undefined && next !== undefined && next < call.endMs) this.#calls.set(node, { ...call, endMs: next })
    }
  }

  #claimStrayLogs(): void {
    const ofCalls = new Set([...this.#calls.keys()].map(spanKey))
    const strays = [...this.#logs].flatMap(([key, logs]) => (ofCalls.has(key) ? [] : logs))
    for (const [span, logs] of claimLogs(strays, [...this.#incomplete.values()])) {
      const key = spanKey(span)
      this.#logs.set(key, [...(this.#logs.get(key) ?? []), ...logs])
    }
  }

  #endBeforeTools(): void {
    for (const tool of this.#tools) {
      const parent = this.tree.get({ traceId: tool.traceId, id: tool.parentId })
      const call = parent !== undefined && this.#enclosing.has(parent) ? this.#calls.get(parent) : undefined
      if (parent === undefined || call === undefined || !(tool.startMs > call.startMs && tool.startMs < call.endMs)) continue
      this.#calls.set(parent, { ...call, endMs: tool.startMs })
    }
  }

  #addSpan(span: Span, spans: Map<string, Span>, report: FileReport): void {
    const known = this.tree.get(span)
    if (known !== undefined && Object.is(known.startMs, span.startMs) && Object.is(known.endMs, span.endMs)) {
      report.note('duplicate-span', 'A span is recorded more than once; it counts once.', placeOf(span))
      return
    }
    if (known !== undefined) {
      report.note('duplicate-span-id', 'Several spans have the same id; they are told apart by a suffix.', placeOf(span))
    }
    const { traceId } = span
    const unique = { ...span, id: this.#ids.take(spanKey(span)).slice(spanKey({ traceId, id: '' }).length) }
    const node = nodeOf(unique, this.#sessionBy)
    this.tree.add(node)
    if (TOOL_OPERATIONS.has(textAt(span.attributes, 'gen_ai.operation.name'))) this.#tools.push(node)
    if (dialects.some(({ endsCall }) => endsCall?.(unique) === true)) {
      const known = this.#ends.get(traceId)
      if (known === undefined) this.#ends.set(traceId, [unique.startMs])
      else known.push(unique.startMs)
    }
    spans.set(spanKey(unique), unique)
  }

  #addLog(log: LogRecord, tally: FileTally): void {
    if (log.traceId === '') return
    tally.traces.add(log.traceId)
    const key = spanKey({ traceId: log.traceId, id: log.spanId })
    const known = this.#logs.get(key)
    if (known === undefined) this.#logs.set(key, [log])
    else known.push(log)
  }

  #withLogs(span: Span): Span {
    const logs = this.#logs.get(spanKey(span))
    return logs === undefined ? span : { ...span, events: [...span.events, ...logs] }
  }

  #contentReader(spans: ReadonlyMap<string, Span>, report: FileReport, texts: readonly SharedTexts[] = []): ContentReader {
    return new ContentReader(this.#interner, spans, (code, message) => report.note(code, message, this.#place), texts)
  }

  #readSpan(bare: Span, content: ContentReader, tally: FileTally): void {
    const { report } = tally
    tally.spans += 1
    tally.traces.add(bare.traceId)
    const dialects = callDialectsOf(bare)
    if (dialects.length === 0) {
      const operation = operationOf(bare)
      tally.operations.set(operation, (tally.operations.get(operation) ?? 0) + 1)
      return
    }
    tally.calls += 1
    tally.advice ??= adviceOf(dialects).content
    const span = this.#withLogs(bare)
    const node = this.tree.get(span) ?? nodeOf(span, this.#sessionBy)
    this.#place = placeOf(span)
    const { draft, fault } = readDraft(span, dialects, content)
    if (draft === undefined) {
      tally.refused += 1
      if (fault !== undefined) this.#refuse(node, span, fault, report)
      return
    }
    if (fault !== undefined) {
      report.note('unreadable-content', `${fault.message} The call was read from other attributes.`, placeOf(span, fault.where))
    }
    const times = timesOf(span, draft.tookMs, report)
    if (times === undefined) {
      tally.refused += 1
      return
    }
    this.#calls.set(node, {
      node,
      name: span.name,
      draft,
      ...times,
      error: errorOf(span),
      attributes: labelsOf(span.attributes),
      resource: span.resource,
      report,
      place: placeOf(span),
      advice: adviceOf(dialects),
    })
    if (dialects.some(({ enclosesTools }) => enclosesTools === true)) this.#enclosing.add(node)
    if (dialects.some(({ endsCall }) => endsCall !== undefined)) this.#openEnded.add(node)
    if (!hasInput(draft) || draft.output === null) {
      this.#incomplete.set(node, { span: bare, known: span.events.length, dialects })
    }
  }

  #refuse(node: SpanNode, span: Span, fault: UnreadableContent, report: FileReport): void {
    this.#calls.delete(node)
    report.refuse('INVALID_TRACE', fault.message, placeOf(span, fault.where))
  }
}

/** How many of the sorted numbers are at most this one, by halving. */
function countUpTo(sorted: readonly number[], most: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? 0) <= most) low = middle + 1
    else high = middle
  }
  return low
}

const TOOL_OPERATIONS = new Set(['execute_tool', 'tool.execute'])

/** Of several dialects the first that has some: they are in the order of `dialects`, the special before the general. */
function adviceOf(dialects: readonly Dialect[]): Advice {
  return dialects.find(({ advice }) => advice !== undefined)?.advice ?? {}
}

function nodeOf(span: Span, sessionBy: SessionBy): SpanNode {
  const { id, traceId, parentId, startMs, endMs, scope, attributes } = span
  const agent = textAt(attributes, 'gen_ai.agent.name')
  return { id, traceId, parentId, startMs, endMs, scope, agent, conversation: sessionBy(span) ?? '' }
}

/** What a person would look for in the file. */
function placeOf({ id, name }: Span, attribute = ''): string {
  const span = `span ${shortened(id, 80)} ${JSON.stringify(shortened(name, 80))}`
  return attribute === '' ? span : `${span}, ${attribute}`
}

function operationOf({ attributes, name }: Span): string {
  const operation = textAt(attributes, 'gen_ai.operation.name') || textAt(attributes, 'openinference.span.kind')
  return shortened(operation || name || '(no name)', 60)
}

/** A call without a start has no place in its session; an end can be made up for. */
function timesOf(span: Span, tookMs: number | undefined, report: FileReport): { startMs: number; endMs: number } | undefined {
  const { startMs, endMs } = span
  if (!Number.isFinite(startMs)) {
    report.refuse('INVALID_TRACE', 'The span has no readable start time.', placeOf(span))
    return undefined
  }
  if (tookMs !== undefined) return { startMs: startMs - Math.max(0, tookMs), endMs: startMs }
  if (endMs >= startMs) return { startMs, endMs }
  const problem = Number.isFinite(endMs) ? 'ends before it starts' : 'has no readable end time'
  report.note('invalid-end-time', `A call ${problem}; its end was set to its start.`, placeOf(span))
  return { startMs, endMs: startMs }
}
