import { RICHNESS } from './dialects/dialect.ts'
import type { CallDraft } from './dialects/index.ts'

/** Two tellings of one request as one: the richer, and from the other what it lacks. */
export function richer(a: CallDraft, b: CallDraft): CallDraft {
  const [base, other] = isRicher(b, a) ? [b, a] : [a, b]
  const ttftMs = base.ttftMs ?? other.ttftMs
  const tookMs = base.tookMs ?? other.tookMs
  return {
    richness: base.richness,
    model: base.model || other.model,
    responseId: base.responseId || other.responseId,
    messages: hasInput(base) ? base.messages : other.messages,
    output: base.output ?? other.output,
    tools: base.tools.length > 0 ? base.tools : other.tools,
    params: { ...other.params, ...base.params },
    usage: { ...other.usage, ...base.usage },
    ...(ttftMs === undefined ? {} : { ttftMs }),
    ...(tookMs === undefined ? {} : { tookMs }),
  }
}

/** Recorders that leave content out may still write messages, without anything in them. */
export function hasInput({ messages }: CallDraft): boolean {
  return messages.some(({ parts }) => parts.length > 0)
}

/** An input outweighs everything, then the kind of source, then an output. Of equals the first stays. */
export function isRicher(a: CallDraft, b: CallDraft): boolean {
  return rank(a) > rank(b)
}

function rank(draft: CallDraft): number {
  return (hasInput(draft) ? 100 : 0) + RICHNESS[draft.richness] * 2 + (draft.output === null ? 0 : 1)
}
