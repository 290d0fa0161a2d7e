import { isJsonObject, type JsonObject, textOf } from '../../message/index.ts'
import type { ContentReader } from '../content-reader.ts'

/** What Mastra writes in place of values that are nested too deeply for its taste. */
const CUT = '[MaxDepth]'
/** Either that, or what it writes at the end of texts that are too long. */
const CUT_ANYWHERE = /\[MaxDepth\]|\[truncated\](?<=(?:…|\.{3}|\\u2026)\[truncated\])(?:\\?"|$)/

const ADVICE = 'In Mastra, raise `maxDepth` and `maxStringLength` in the `serializationOptions` of the observability config.'

/** Tool calls of the outputs in a file, by id. Histories repeat them one level deeper, where names and arguments are cut. */
const toolCalls = new WeakMap<ContentReader, Map<string, JsonObject>>()

export function rememberToolCalls(calls: unknown, content: ContentReader): void {
  const known = toolCalls.get(content) ?? new Map<string, JsonObject>()
  toolCalls.set(content, known)
  for (const call of Array.isArray(calls) ? calls.filter(isJsonObject) : []) {
    const id = textOf(call.toolCallId)
    if (id !== '') known.set(id, call)
  }
}

/** In a value, or somewhere in JSON text. */
export function hasCutValues(value: unknown, content: ContentReader): boolean {
  if (typeof value === 'string') return content.holds(value, CUT_ANYWHERE)
  if (Array.isArray(value)) return value.some((item) => hasCutValues(item, content))
  return isJsonObject(value) && Object.values(value).some((item) => hasCutValues(item, content))
}

/** The value with tool calls put back where an earlier output had them, and without what is cut. */
export function putBackCutValues(value: unknown, content: ContentReader): unknown {
  const repaired = repair(value, toolCalls.get(content) ?? new Map(), content)
  content.note(
    'cut-values',
    `Parts of an input were cut by its recorder; tool calls were put back from earlier outputs. ${ADVICE}`,
  )
  return repaired
}

/** The same tool call the way the provider's API writes it in a history. */
function inFormOf(cut: JsonObject, { toolName, args }: JsonObject): JsonObject {
  if (cut.function !== undefined) return { ...cut, function: { name: toolName, arguments: args } }
  return cut.toolCallId === undefined ? { ...cut, name: toolName, input: args } : { ...cut, toolName, args, input: args }
}

function repair(value: unknown, known: ReadonlyMap<string, JsonObject>, content: ContentReader): unknown {
  // In schemas, anything; elsewhere, nothing.
  if (value === CUT) return {}
  if (Array.isArray(value)) return value.filter((item) => item !== CUT).map((item) => repair(item, known, content))
  if (!isJsonObject(value)) return value
  const call = known.get(textOf(value.id) || textOf(value.toolCallId))
  if (call !== undefined && hasCutValues(value, content)) return inFormOf(value, call)
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, repair(item, known, content)]))
}
