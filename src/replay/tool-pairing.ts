import type { Message, ToolCallPart } from '../message/index.ts'

/** Which tool result answers which tool call within one call's input. */
export interface ToolPairing {
  /** Index of an assistant message with tool calls → its calls, in order. */
  readonly turns: ReadonlyMap<number, readonly PairedCall[]>
  /** Indexes of tool messages that answer no call. */
  readonly orphans: readonly number[]
}

export interface PairedCall {
  readonly call: ToolCallPart
  /** Index of the tool message that answers it; `undefined` when none does. */
  readonly result: number | undefined
}

/**
 * Pairs each assistant turn's tool calls with the results that stand between it and the next assistant turn: by id where
 * both carry one, the rest by order (some instrumentations record no ids).
 */
export function pairToolResults(messages: readonly Message[]): ToolPairing {
  const turns = new Map<number, PairedCall[]>()
  const orphans: number[] = []
  let turn = -1
  let results: number[] = []
  const closeTurn = () => {
    const calls = turn < 0 ? [] : toolCallsOf(messages[turn])
    const { paired, left } = pairTurn(calls, results, messages)
    if (calls.length > 0) turns.set(turn, paired)
    orphans.push(...left)
    results = []
  }
  messages.forEach((message, index) => {
    if (message.role === 'tool') results.push(index)
    if (message.role !== 'assistant') return
    closeTurn()
    turn = index
  })
  closeTurn()
  return { turns, orphans }
}

export function toolCallsOf(message: Message | undefined): ToolCallPart[] {
  return message?.parts.filter((part) => part.type === 'tool_call') ?? []
}

function pairTurn(calls: readonly ToolCallPart[], results: readonly number[], messages: readonly Message[]) {
  const open = new Set(results)
  const byId = calls.map((call) => takeFirst(open, (index) => call.id !== '' && resultId(messages[index]) === call.id))
  const paired = calls.map((call, k): PairedCall => ({ call, result: byId[k] ?? takeFirst(open, () => true) }))
  return { paired, left: [...open] }
}

function takeFirst(open: Set<number>, matches: (index: number) => boolean): number | undefined {
  for (const index of open) {
    if (!matches(index)) continue
    open.delete(index)
    return index
  }
  return undefined
}

function resultId(message: Message | undefined): string {
  const part = message?.parts[0]
  return part?.type === 'tool_result' ? part.id : ''
}
