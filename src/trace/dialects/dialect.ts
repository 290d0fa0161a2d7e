import type { CallParams, Message, TokenUsage, ToolDefinition } from '../../message/index.ts'
import type { ContentReader } from '../content-reader.ts'
import type { LogRecord, Span } from '../span.ts'

/**
 * How the spans of one family of recorders say "LLM call" and where they keep its content.
 *
 * To teach the project another dialect, add a file beside this one and its `Dialect` to the list in `index.ts`.
 *
 * - `classify` is asked for every span and looks at marks only (an operation name, a kind, the scope), never at the mere
 *   presence of a key. `'call'`: one request to a model. `'structure'`: known to be no call (an agent, a tool, a chain, an
 *   embedding, a wrapper that sums up calls). `undefined`: not a span of this dialect. A span that any dialect knows as
 *   structure is no call, whatever the others say.
 * - `read` is asked for spans this dialect called a call. It turns what the span holds into a draft, and says by `richness` how
 *   complete its source is: when several dialects read one span, or several spans record one request, the richest draft is
 *   kept and what it lacks is taken from the others. What the span does not hold stays empty: a call without content still lends
 *   its timing and usage to the span around it.
 * - Content is in `span.attributes` and `span.events`; log records that name the span are among its events, also when they come
 *   from another file. A span whose draft lacks an input or an output is read once more at the end, if log records turned up.
 * - Values are as stored: JSON as text, structured, or either of them inside the other. `ContentReader` parses them, shares equal
 *   messages, and throws `UnreadableContent` for JSON that is broken; a dialect lets that pass through, and the other dialects
 *   get their turn.
 * - Pairing, de-duplication, retries, sessions, times, errors and agents are not the business of a dialect.
 */
export interface Dialect {
  readonly name: string
  /** For the error about a file without calls: what makes a span a call. */
  readonly mark: string
  /** What to change in these recorders when a recording of theirs lacks something. */
  readonly advice?: Advice
  /** Knows all that its recorder writes: where it finds input and output, the dialects after it are not asked. */
  readonly exhaustive?: true
  /** A call's span goes on while the tools run that the model called for, as spans inside it: the call ended when they began. */
  readonly enclosesTools?: true
  classify(span: Span): 'call' | 'structure' | undefined
  /** For recorders whose spans go on to the end of the run: whether a call was over when this span began. */
  endsCall?(span: Span): boolean
  /** Whether a log record from the time of a call belongs to it, though it names another span. */
  owns?(span: Span, log: LogRecord): boolean
  read(span: Span, content: ContentReader): CallDraft
}

/** Settings of a recorder, each a sentence or two that follow the warning about what is missing. */
export interface Advice {
  /** To have inputs and outputs recorded. */
  readonly content?: string
  /** To have whole histories recorded, not only what was new in a request. */
  readonly history?: string
  /** To have the ids of tool calls recorded. */
  readonly toolCallIds?: string
  /** To have tool definitions recorded. */
  readonly tools?: string
}

/** One LLM call as one source tells it. */
export interface CallDraft {
  readonly richness: Richness
  /** `''` when not recorded, like all texts here. */
  readonly model: string
  /** The id the provider gave the response: two spans with the same one record the same request. */
  readonly responseId: string
  /** The whole input, system instructions first. Empty when the source holds none. */
  readonly messages: readonly Message[]
  /** `null` when the source holds none. */
  readonly output: Message | null
  readonly tools: readonly ToolDefinition[]
  readonly params: CallParams
  readonly usage: TokenUsage
  readonly ttftMs?: number
  /** Set when the span marks the end of the call only: how long the call had taken by then. */
  readonly tookMs?: number
}

/** How much of a call a kind of source is known to carry. */
export type Richness = keyof typeof RICHNESS

export const RICHNESS = {
  /** Keys like `prompt.0.content`: the tail may be lost to a limit on the number of attributes. */
  flattened: 1,
  /** One event or log record per message. */
  events: 2,
  /** Messages as an SDK holds them. */
  sdk: 3,
  /** The message lists of the OpenTelemetry GenAI conventions. */
  messages: 4,
  /** Request and response as they went over the wire. */
  raw: 5,
} as const
