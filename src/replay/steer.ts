import type { ToolChoice } from '../endpoint/index.ts'
import type { Call, Message, ToolDefinition } from '../message/index.ts'
import { toolCallsOf } from './tool-pairing.ts'

/** How a request is kept on the recording's course without dictating what the model says. */
export interface Steering {
  readonly tools: readonly ToolDefinition[]
  readonly toolChoice?: ToolChoice
  readonly maxTokens?: number
  /** For answers of text alone; a tool call must be able to end on its own. */
  readonly forceOutputTokens?: number
  readonly plannedOutputTokens: number | null
}

/** A tool call may come out longer than the recorded one, and one that is cut off is no tool call. */
const TOOL_CALL_HEADROOM = { factor: 2, tokens: 64 } as const

const CHARACTERS_PER_TOKEN = 4

export function steer(call: Call, standIns: readonly ToolDefinition[]): Steering {
  const calls = toolCallsOf(call.output ?? undefined)
  const tools = lacksTools(call) ? standIns : call.tools
  const planned = call.usage?.outputTokens ?? (call.output === null ? undefined : estimateTokens(call.output))
  const length = outputLength(planned, calls.length > 0, call.params.maxTokens)
  const [first] = calls
  if (first === undefined) return { tools, ...length }
  const single = calls.length === 1 && tools.some((tool) => tool.name === first.name)
  return { tools, toolChoice: single ? { name: first.name } : 'required', ...length }
}

/**
 * Some instrumentations record no tool definitions, and a model can only call what it is offered: one bare definition for
 * each function the session's calls name. The same list for all of them, so that their prompts share a prefix.
 */
export function standInTools(calls: readonly Call[]): ToolDefinition[] {
  const names = new Set<string>()
  for (const call of calls.filter(lacksTools)) for (const name of namesCalled(call)) names.add(name)
  return [...names].map((name) => ({ name, parameters: { type: 'object', properties: {} } }))
}

function lacksTools(call: Call): boolean {
  return call.tools.length === 0 && namesCalled(call).length > 0
}

function namesCalled(call: Call): string[] {
  const turns = call.output === null ? call.messages : [...call.messages, call.output]
  return turns.flatMap((message) => toolCallsOf(message).map((part) => part.name))
}

function outputLength(planned: number | undefined, callsTools: boolean, recordedLimit: number | undefined) {
  if (planned === undefined || planned <= 0) {
    return { plannedOutputTokens: null, ...(recordedLimit === undefined ? {} : { maxTokens: recordedLimit }) }
  }
  if (callsTools) {
    return { plannedOutputTokens: planned, maxTokens: Math.ceil(planned * TOOL_CALL_HEADROOM.factor) + TOOL_CALL_HEADROOM.tokens }
  }
  return { plannedOutputTokens: planned, maxTokens: planned, forceOutputTokens: planned }
}

/** Four characters a token: a rough figure for English, used only where nobody counted. */
export function estimateTokens(message: Message): number {
  let characters = 0
  for (const part of message.parts) {
    if (part.type === 'text' || part.type === 'reasoning') characters += part.text.length
    else if (part.type === 'tool_call') characters += part.name.length + part.arguments.length
    else if (part.type === 'tool_result') characters += part.content.length
  }
  return Math.max(1, Math.ceil(characters / CHARACTERS_PER_TOKEN))
}
