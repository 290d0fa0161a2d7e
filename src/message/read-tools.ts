import type { ToolDefinition } from './call.ts'
import { withLowerCaseTypes } from './gemini-schema.ts'
import { isJsonObject, type JsonObject, textOf } from './json.ts'

/**
 * Reads tool definitions in the forms of the common APIs and recorders: flat or nested under `function`, the schema under
 * `parameters`, `inputSchema`, `input_schema` and more, entries as objects, as JSON text or as bare names.
 *
 * @param onUnknown told of each entry that names no function; such an entry is left out
 */
export function readTools(value: unknown, onUnknown: (entry: unknown) => void): readonly ToolDefinition[] {
  const tools: ToolDefinition[] = []
  for (const entry of Array.isArray(value) ? value : [value]) {
    const read = isJsonObject(entry) ? fromObject(entry) : typeof entry === 'string' ? fromText(entry) : []
    if (read.length === 0 && entry !== null && entry !== undefined) onUnknown(entry)
    tools.push(...read)
  }
  return tools
}

function fromText(text: string): ToolDefinition[] {
  if (!/^\s*\{/.test(text)) return text.trim() === '' ? [] : [{ name: text.trim() }]
  try {
    const parsed: unknown = JSON.parse(text)
    return isJsonObject(parsed) ? fromObject(parsed) : []
  } catch {
    return []
  }
}

function fromObject(entry: JsonObject): ToolDefinition[] {
  // Gemini bundles several functions in one entry.
  const bundled = entry.functionDeclarations ?? entry.function_declarations
  if (Array.isArray(bundled)) return bundled.filter(isJsonObject).flatMap(fromObject)
  const definition = [entry.function, entry.toolSpec].find(isJsonObject) ?? entry
  const name = textOf(definition.name)
  if (name === '') return []
  const description = textOf(definition.description)
  const parameters = schemaOf(definition)
  return [{ name, ...(description === '' ? {} : { description }), ...(parameters === undefined ? {} : { parameters }) }]
}

const SCHEMA_KEYS = ['parameters', 'inputSchema', 'input_schema', 'parametersJsonSchema', 'parameters_json_schema']

function schemaOf(definition: JsonObject): JsonObject | undefined {
  for (const key of SCHEMA_KEYS) {
    const schema = definition[key]
    if (!isJsonObject(schema)) continue
    // Bedrock wraps the schema once more.
    return withLowerCaseTypes(isJsonObject(schema.json) && schema.type === undefined ? schema.json : schema)
  }
  return undefined
}
