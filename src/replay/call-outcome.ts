import type { Exchange, FailureLabel } from '../endpoint/index.ts'
import type { ErrorRecord } from '../metrics/index.ts'
import { hasSoundArguments } from './live-output.ts'
import type { CallPolicy } from './options-schema.ts'

/** How a request came out, as far as it says something of the target. */
export type RequestOutcome =
  | { readonly ok: true }
  | { readonly ok: false; readonly label: FailureLabel; readonly message: string }

/** Of an exchange, for whoever watches the target. */
export function outcomeOf({ result }: Exchange): RequestOutcome {
  return result.state === 'ok' ? { ok: true } : { ok: false, label: result.error.label, message: result.error.message }
}

/** What a request amounts to for its session. */
export type Judgement =
  | { readonly state: 'succeeded'; readonly error: null; readonly usable: boolean }
  | { readonly state: 'failed' | 'cut-off'; readonly error: ErrorRecord }

export function judge({ result }: Exchange, onMalformedToolCall: CallPolicy['onMalformedToolCall']): Judgement {
  if (result.state === 'failed') {
    const { label, message } = result.error
    return { state: label === 'aborted' ? 'cut-off' : 'failed', error: { label, message } }
  }
  if (hasSoundArguments(result.message)) return { state: 'succeeded', error: null, usable: true }
  if (onMalformedToolCall !== 'fail') return { state: 'succeeded', error: null, usable: onMalformedToolCall === 'send' }
  const message = 'The model called a tool with arguments that are not valid JSON.'
  return { state: 'failed', error: { label: 'malformed_tool_call', message } }
}
