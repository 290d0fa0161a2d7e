import type { Message, Part, ToolDefinition } from '../../message/index.ts'

const SPEAKERS = { system: 'System', user: 'User', assistant: 'Assistant', tool: 'Tool' } as const

/** One message of a conversation as text; ends where the next may begin. */
export function turnText({ role, parts }: Message): string {
  return `${SPEAKERS[role]}: ${parts.map(partText).join('\n')}\n\n`
}

/** Where the model takes over. */
export const ANSWER_BEGIN = 'Assistant:'

/** What a lone user message says: a recorded completion is asked for as it was. */
export function plainText({ parts }: Message): string {
  return parts.map(partText).join('\n')
}

/** What a chat template would say of the tools. */
export function toolsText(tools: readonly ToolDefinition[]): string {
  const lines = tools.map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters }))
  return `Tools, of which each is called by answering with nothing but {"name": …, "arguments": {…}}:\n${lines.join('\n')}\n\n`
}

function partText(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text
    case 'tool_call':
      return `{"name": ${JSON.stringify(part.name)}, "arguments": ${part.arguments.trim() || '{}'}}`
    case 'tool_result':
      return part.content
    case 'media':
      return `[${part.modality}]`
  }
}
