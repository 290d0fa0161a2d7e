import type { ToolDefinition } from '../message/index.ts'
import { isObject, type JsonObject } from './json-value.ts'

/** What was left out of a tool's parameters. */
export interface SimplifiedTool {
  readonly tool: ToolDefinition
  /** Keywords, each once: `uniqueItems`, `pattern (lookaround)`. Empty when the tool is unchanged. */
  readonly dropped: readonly string[]
}

/** Keywords for which no grammar is made: a server that forces a tool call with them refuses the request, or ignores its schema. */
const WITHOUT_GRAMMAR = new Set([
  'multipleOf',
  'uniqueItems',
  'contains',
  'minContains',
  'maxContains',
  'patternProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'dependentRequired',
  'dependentSchemas',
  'unevaluatedProperties',
  'unevaluatedItems',
])

const FORMATS = new Set([
  'email',
  'date',
  'time',
  'date-time',
  'duration',
  'ipv4',
  'ipv6',
  'hostname',
  'uuid',
  'uri',
  'uri-reference',
  'uri-template',
  'json-pointer',
  'relative-json-pointer',
])

/** Lookaround, back references, named groups: no part of a regular language, or not of the grammar's. */
const IRREGULAR = /\(\?[=!<]|\\[1-9]|\\k</

const SCHEMA = new Set(['items', 'additionalProperties', 'additionalItems'])
const SCHEMA_LIST = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items'])
const SCHEMA_MAP = new Set(['properties', '$defs', 'definitions'])

/** Nested deeper, no server takes it either. */
const MAX_DEPTH = 200

/**
 * A tool whose parameters keep to what servers that decode by an xgrammar grammar (vLLM, SGLang, Dynamo) accept. Leaving a
 * keyword out only widens what the model may write. A tool that keeps to it already is given back as it is.
 */
export function withinGrammar(tool: ToolDefinition): SimplifiedTool {
  if (tool.parameters === undefined) return { tool, dropped: [] }
  const dropped = new Set<string>()
  const parameters = simplify(tool.parameters, dropped, 0)
  return dropped.size === 0 ? { tool, dropped: [] } : { tool: { ...tool, parameters }, dropped: [...dropped] }
}

function simplify(schema: JsonObject, dropped: Set<string>, depth: number): JsonObject {
  if (depth > MAX_DEPTH) return schema
  const kept: [string, unknown][] = []
  for (const [keyword, value] of Object.entries(schema)) {
    const reason = whyNot(keyword, value)
    if (reason !== undefined) dropped.add(reason)
    else kept.push([keyword, simplifyValue(keyword, value, dropped, depth + 1)])
  }
  return Object.fromEntries(kept)
}

function whyNot(keyword: string, value: unknown): string | undefined {
  if (WITHOUT_GRAMMAR.has(keyword)) return keyword
  if (keyword === 'format' && typeof value === 'string' && !FORMATS.has(value)) return `format '${value}'`
  if (keyword === 'pattern' && typeof value === 'string' && IRREGULAR.test(value)) return 'pattern (lookaround or back reference)'
  return undefined
}

function simplifyValue(keyword: string, value: unknown, dropped: Set<string>, depth: number): unknown {
  const inner = (schema: unknown) => (isObject(schema) ? simplify(schema, dropped, depth) : schema)
  if (Array.isArray(value)) return SCHEMA_LIST.has(keyword) ? value.map(inner) : value
  if (!isObject(value)) return value
  if (SCHEMA.has(keyword)) return inner(value)
  if (!SCHEMA_MAP.has(keyword)) return value
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, inner(schema)]))
}
