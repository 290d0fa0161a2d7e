import { drawFrom, drawInteger, type Random, type Range } from '../base/index.ts'
import type { GenerationRequest } from './generation-request.ts'
import { valueForSchema } from './json-schema/schema-value.ts'
import { countTokens } from './tokens.ts'

export interface ToolCallStyle {
  /** Share of requests with `tool_choice: 'auto'` that get tool calls. */
  readonly toolCallRate: number
  readonly toolCallsPerAnswer: number | Range
}

const NO_ARGUMENTS = { type: 'object', maxProperties: 0 }
/** Arguments are an object, whether the schema says so or not. */
const ANY_ARGUMENTS = { type: 'object' }

/** A tool call without its id. */
export interface WrittenToolCall {
  readonly name: string
  readonly arguments: string
}

/**
 * The calls the model decides on, with arguments that meet their schemas; none where it answers in words. Where the
 * arguments would not fit into `mostTokens` the model is terse; if that does not help, the answer will be cut.
 */
export function planToolCalls(
  request: GenerationRequest,
  style: ToolCallStyle,
  random: Random,
  mostTokens: number,
): readonly WrittenToolCall[] {
  const { tools, toolChoice } = request
  if (tools.length === 0 || toolChoice === 'none') return []
  if (toolChoice === 'auto' && random() >= style.toolCallRate) return []

  const named = typeof toolChoice === 'object' ? tools.findIndex((tool) => tool.name === toolChoice.name) : -1
  const count = named >= 0 || !request.parallelToolCalls ? 1 : drawFrom(random, style.toolCallsPerAnswer)
  const first = named >= 0 ? named : drawInteger(random, 0, tools.length - 1)
  const calls: WrittenToolCall[] = []
  for (let i = 0; i < count; i++) {
    // Different functions before the same one again.
    const tool = tools[(first + i) % tools.length]
    if (tool === undefined) break
    const parameters = tool.parameters === undefined ? [NO_ARGUMENTS] : [tool.parameters, ANY_ARGUMENTS]
    calls.push({ name: tool.name, arguments: jsonForSchemas(parameters, random, Math.floor(mostTokens / count) - 1) })
  }
  return calls
}

/** JSON text that meets all of the schemas, in at most so many tokens where it can be done. */
export function jsonForSchemas(schemas: readonly unknown[], random: Random, mostTokens: number): string {
  const json = JSON.stringify(valueForSchema(schemas, random, 'typical'))
  return countTokens(json) <= mostTokens ? json : JSON.stringify(valueForSchema(schemas, random, 'minimal'))
}
