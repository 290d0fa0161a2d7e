import { Interner } from '../interner.ts'
import { readMessages } from '../read-messages.ts'

/** Messages as `role: parts`, short enough to compare at a glance, and what was said about them. */
export function read(value: unknown): { messages: string[]; problems: string[] } {
  const problems: string[] = []
  const messages = readMessages(value, { interner: new Interner(), report: ({ message }) => problems.push(message) })
  return { messages: messages.map(({ role, parts }) => `${role}: ${parts.map(shown).join(' | ')}`), problems }
}

function shown(part: ReturnType<typeof readMessages>[number]['parts'][number]): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'reasoning':
      return `(${part.text})`
    case 'tool_call':
      return `${part.id}=${part.name}(${part.arguments})`
    case 'tool_result':
      return `${part.id}→${part.content}`
    case 'media':
      return `<${part.modality} ${part.mime} ${'uri' in part.source ? part.source.uri : part.source.data}>`
  }
}
