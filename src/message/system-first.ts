import { matchKey } from './match-key.ts'
import type { Message } from './message.ts'

/**
 * The input with its system instructions, which some APIs and recorders keep apart, as the first message. Instructions that
 * the input repeats already stand in it once.
 */
export function withSystemFirst(system: Message | undefined, messages: readonly Message[]): readonly Message[] {
  if (system === undefined || matchKey(system) === undefined) return messages
  const next = messages.findIndex((message) => message.role !== 'system')
  const leading = messages.slice(0, next === -1 ? messages.length : next)
  const repeated =
    leading.some((message) => message === system || matchKey(message) === matchKey(system)) ||
    matchKey({ role: 'system', parts: leading.flatMap((message) => message.parts) }) === matchKey(system)
  return repeated ? messages : [system, ...messages]
}
