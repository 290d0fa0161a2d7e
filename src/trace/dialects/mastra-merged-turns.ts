import type { Message, Part, ToolCallPart } from '../../message/index.ts'
import type { ContentReader } from '../content-reader.ts'

/** Which output of a file a tool call came from, by its id. */
const sources = new WeakMap<ContentReader, Map<string, Message>>()

export function rememberOutput(output: Message | null, content: ContentReader): void {
  const known = sources.get(content) ?? new Map<string, Message>()
  sources.set(content, known)
  for (const part of output?.parts ?? []) if (part.type === 'tool_call' && part.id !== '') known.set(part.id, output as Message)
}

/**
 * Mastra joins successive turns of tool calls into one turn, followed by all their results, when it sends a history. Taken
 * apart, each turn is an output of an earlier call again.
 */
export function splitMergedTurns(messages: readonly Message[], content: ContentReader): readonly Message[] {
  const known = sources.get(content)
  if (known === undefined) return messages
  const split: Message[] = []
  for (let index = 0; index < messages.length; index++) {
    const turn = messages[index]
    if (turn === undefined) break
    const groups = groupBySource(turn, known)
    if (groups.length < 2) {
      split.push(turn)
      continue
    }
    const results: Message[] = []
    while (messages[index + 1]?.role === 'tool') results.push(...messages.slice(index + 1, ++index + 1))
    split.push(...inTurns(turn, groups, results, content))
  }
  return split.length === messages.length ? messages : split
}

function groupBySource({ role, parts }: Message, known: ReadonlyMap<string, Message>): ToolCallPart[][] {
  const groups = new Map<Message | undefined, ToolCallPart[]>()
  for (const part of role === 'assistant' ? parts : []) {
    if (part.type !== 'tool_call') continue
    const source = known.get(part.id)
    groups.set(source, [...(groups.get(source) ?? []), part])
  }
  return [...groups.values()]
}

/** What stands beside the tool calls belongs to the first turn; results without a call of their own follow at the end. */
function inTurns(
  turn: Message,
  groups: readonly ToolCallPart[][],
  results: readonly Message[],
  content: ContentReader,
): Message[] {
  const left = new Set(results)
  const others = turn.parts.filter(({ type }) => type !== 'tool_call')
  const turns = groups.flatMap((calls, k) => {
    const ids = new Set(calls.map(({ id }) => id))
    const answers = results.filter(({ parts: [part] }) => part?.type === 'tool_result' && ids.has(part.id))
    for (const answer of answers) left.delete(answer)
    const parts: readonly Part[] = k === 0 ? [...others, ...calls] : calls
    return [content.message('assistant', parts), ...answers]
  })
  return [...turns, ...left]
}
