import type { ContentReader } from './content-reader.ts'
import { UnreadableContent } from './content-reader.ts'
import { type CallDraft, type Dialect, dialects } from './dialects/index.ts'
import { hasInput, isRicher, richer } from './merge-drafts.ts'
import type { Span } from './span.ts'
import { splitGluedCalls } from './split-glued-calls.ts'

/** The dialects in which a span is a call; none when one of them knows it as structure. */
export function callDialectsOf(span: Span): readonly Dialect[] {
  const found: Dialect[] = []
  for (const dialect of dialects) {
    const role = dialect.classify(span)
    if (role === 'structure') return []
    if (role === 'call') found.push(dialect)
  }
  return found
}

export interface DraftReading {
  readonly draft: CallDraft | undefined
  /** Content that could not be read; when there is a draft, it came from another source. */
  readonly fault: UnreadableContent | undefined
}

/** The span as its dialects read it: the richest reading, completed from the others. */
export function readDraft(span: Span, among: readonly Dialect[], content: ContentReader): DraftReading {
  let draft: CallDraft | undefined
  let fault: UnreadableContent | undefined
  let tell = () => {}
  for (const dialect of among) {
    try {
      const read = content.withheld(() => dialect.read(span, content))
      if (draft === undefined || isRicher(read.value, draft)) tell = read.tell
      draft = draft === undefined ? read.value : richer(draft, read.value)
      if (dialect.exhaustive === true && hasInput(read.value) && read.value.output !== null) break
    } catch (error) {
      fault ??= faultOf(error)
    }
  }
  // A reading without input is none when the input is what could not be read.
  tell()
  if (draft === undefined || (fault !== undefined && !hasInput(draft))) return { draft: undefined, fault }
  const output = draft.output && splitGluedCalls(draft.output, draft.tools, content)
  return { draft: output === draft.output ? draft : { ...draft, output }, fault }
}

function faultOf(error: unknown): UnreadableContent {
  if (error instanceof UnreadableContent) return error
  // Values from a trace are walked recursively; a stack that overflows is the trace's doing.
  if (error instanceof RangeError) return new UnreadableContent('content', 'It is nested too deeply to be read.')
  throw error
}
