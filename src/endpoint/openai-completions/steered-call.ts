import type { Part, ToolDefinition } from '../../message/index.ts'
import type { EndpointRequest } from '../endpoint.ts'
import { isObject, parseJson } from '../json-value.ts'

/** Whether the answer is to be a tool call, written out as text since this API knows none. */
export function isSteered({ tools, toolChoice }: EndpointRequest): boolean {
  return tools.length > 0 && (toolChoice === 'required' || typeof toolChoice === 'object')
}

/** The JSON Schema of such an answer: `{ name, arguments }` of the tool asked for, or of any. */
export function callSchema(tools: readonly ToolDefinition[], choice: EndpointRequest['toolChoice']): Record<string, unknown> {
  const named = typeof choice === 'object' ? tools.filter((tool) => tool.name === choice.name) : []
  const schemas = (named.length > 0 ? named : tools).map((tool) => ({
    type: 'object',
    properties: { name: { type: 'string', enum: [tool.name] }, arguments: tool.parameters ?? { type: 'object', properties: {} } },
    required: ['name', 'arguments'],
    additionalProperties: false,
  }))
  const [only] = schemas
  return schemas.length === 1 && only !== undefined ? only : { anyOf: schemas }
}

/** The calls an answer writes out, one or a list of them; `undefined` when it is anything else. */
export function readCalls(text: string, tools: readonly ToolDefinition[], inventId: () => string): Part[] | undefined {
  const value = parseJson(text)?.value
  const calls: readonly unknown[] = Array.isArray(value) ? value : [value]
  const parts: Part[] = []
  for (const call of calls) {
    if (!isObject(call) || typeof call.name !== 'string' || !tools.some((tool) => tool.name === call.name)) return undefined
    const args = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {})
    parts.push({ type: 'tool_call', id: inventId(), name: call.name, arguments: args })
  }
  return parts.length === 0 ? undefined : parts
}
