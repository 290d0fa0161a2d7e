import type { Message } from '../message/index.ts'
import { hasInput } from './merge-drafts.ts'
import type { RecordedCall } from './recorded-call.ts'

/** Says what was not recorded of a call, so that its replay cannot be faithful, and what to change for the next recording. */
export function reportHoles(call: RecordedCall): void {
  const { draft, error, advice } = call
  if (!hasInput(draft)) {
    note(call, 'call-without-input', 'A span is an LLM call, but its input was not recorded; it is left out.', advice.content)
    return
  }
  if (draft.output === null && error === null) {
    const loss = 'later calls take it from the recording, where they hold it'
    note(call, 'output-not-recorded', `The output of a call was not recorded; ${loss}.`, advice.content)
  }
  if (draft.messages.some(({ role, parts }) => role === 'user' && parts.length === 0)) {
    const loss = 'the replay sends less than the model saw'
    note(call, 'texts-not-recorded', `Messages of a call were recorded without what they say; ${loss}.`, advice.content)
  }
  if (beginsMidway(draft.messages)) {
    const loss = 'the replay sends less than the model saw'
    note(call, 'history-not-recorded', `The input of a call begins in the middle of a conversation; ${loss}.`, advice.history)
  }
  if (draft.tools.length === 0 && draft.output?.parts.some(({ type }) => type === 'tool_call')) {
    const repair = 'the replay offers bare ones of the names that were called'
    note(call, 'tools-not-recorded', `A call used tools, but their definitions were not recorded; ${repair}.`, advice.tools)
  }
  if (hasToolCallWithoutId(draft.messages, draft.output)) {
    const repair = 'they are linked to their results by order'
    note(call, 'tool-calls-without-id', `Tool calls were recorded without ids; ${repair}.`, advice.toolCallIds)
  }
}

function note({ report, place }: RecordedCall, code: string, message: string, advice: string | undefined): void {
  report.note(code, advice === undefined ? message : `${message} ${advice}`, place)
}

/** A conversation may begin with a greeting, but not with tools at work. */
function beginsMidway(messages: readonly Message[]): boolean {
  const first = messages.find(({ role }) => role !== 'system')
  return first?.role === 'tool' || (first?.role === 'assistant' && first.parts.some(({ type }) => type === 'tool_call'))
}

function hasToolCallWithoutId(messages: readonly Message[], output: Message | null): boolean {
  const isNameless = ({ parts }: Message) => parts.some((part) => isToolPart(part) && part.id === '')
  return messages.some(isNameless) || (output !== null && isNameless(output))
}

function isToolPart(part: Message['parts'][number]) {
  return part.type === 'tool_call' || part.type === 'tool_result'
}
