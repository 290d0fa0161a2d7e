import type { Message, Part, ToolCallPart, ToolDefinition } from '../message/index.ts'
import type { ContentReader } from './content-reader.ts'

/** More parallel calls than this are no accident of a recorder. */
const MOST_CALLS = 64

/**
 * Some recorders of streams add up the pieces of parallel tool calls as if they were one: names, ids and arguments stand glued
 * together. The arguments, each a JSON object, tell where one call ends.
 */
export function splitGluedCalls(output: Message, tools: readonly ToolDefinition[], content: ContentReader): Message {
  if (!output.parts.some(mayBeGlued)) return output
  const parts = output.parts.flatMap((part) => (mayBeGlued(part) ? split(part, tools) : part))
  if (parts.length === output.parts.length) return output
  content.note(
    'glued-tool-calls',
    'Parallel tool calls of a stream were recorded as one; they were told apart by their arguments.',
  )
  return content.message('assistant', parts)
}

function mayBeGlued(part: Part): part is ToolCallPart {
  return part.type === 'tool_call' && /\}\s*\{/.test(part.arguments)
}

function split(call: ToolCallPart, tools: readonly ToolDefinition[]): readonly Part[] {
  const objects = objectsIn(call.arguments)
  if (objects === undefined || objects.length < 2) return [call]
  const names = namesIn(call.name, objects.length, tools)
  const ids = idsIn(call.id, objects.length)
  return objects.map((text, k) => ({ type: 'tool_call', id: ids[k] ?? '', name: names[k] ?? call.name, arguments: text }))
}

/** The objects a text consists of; `undefined` when it consists of anything else. */
function objectsIn(text: string): string[] | undefined {
  const objects: string[] = []
  let start = 0
  let depth = 0
  let quoted = false
  for (let index = 0; index < text.length; index++) {
    const char = text.charAt(index)
    if (quoted && char === '\\') index += 1
    else if (char === '"') quoted = !quoted
    else if (!quoted && char === '{') depth += 1
    else if (!quoted && char === '}') {
      depth -= 1
      if (depth < 0 || objects.length === MOST_CALLS) return undefined
      if (depth > 0) continue
      objects.push(text.slice(start, index + 1).trim())
      start = index + 1
    }
  }
  return depth === 0 && text.slice(start).trim() === '' && objects.every(isJson) ? objects : undefined
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Names that make up the glued one; the whole for each where the recorder kept but one name. */
function namesIn(glued: string, count: number, tools: readonly ToolDefinition[]): readonly string[] {
  const unit = glued.slice(0, glued.length / count)
  if (unit.repeat(count) === glued) return Array<string>(count).fill(unit)
  const names: string[] = []
  let rest = glued
  while (rest !== '' && names.length < count) {
    // The longest first: one name may begin with another.
    const next = tools.map(({ name }) => name).filter((name) => name !== '' && rest.startsWith(name))
    const name = next.sort((a, b) => b.length - a.length)[0]
    if (name === undefined) break
    names.push(name)
    rest = rest.slice(name.length)
  }
  return rest === '' && names.length === count ? names : Array<string>(count).fill(glued)
}

/** Ids of one provider begin alike: `call_`, `toolu_`. */
function idsIn(glued: string, count: number): readonly string[] {
  const prefix = /^[a-z]+[_-]/i.exec(glued)?.[0]
  if (prefix === undefined) return []
  const ids = glued.split(prefix).slice(1)
  return ids.length === count ? ids.map((id) => prefix + id) : []
}
