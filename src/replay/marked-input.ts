import type { GraphNode, Splice } from '../graph/index.ts'
import { type Message, prefixMessage } from '../message/index.ts'
import type { Variants } from './variants.ts'

/** What a call says, and where live outputs go in it. */
export interface RecordedInput {
  readonly messages: readonly Message[]
  readonly splices: readonly Splice[]
}

/** Carries the marker where the first message cannot. */
const SAYS_NOTHING: Message = { role: 'system', parts: [{ type: 'text', text: '' }] }

/**
 * A call's input with a marker at the head of its first message, so that a server's prefix cache shares nothing between the
 * session and its twins, while calls of the session itself go on sharing their history.
 *
 * To be made as the call is sent, and let go of: thousands of twins in flight share the recorded session and hold nothing
 * of it themselves, but for their first message.
 *
 * @param marker `''` for none
 * @param variants of the session: its calls share their marked message
 */
export function markedInput({ call, splices }: GraphNode, marker: string, variants: Variants): RecordedInput {
  const { messages } = call
  if (marker === '') return { messages, splices }
  const [first, ...rest] = messages
  if (first !== undefined && canCarryMarker(first)) {
    const shifted = splices.map((splice) => shiftText(splice, marker.length))
    return { messages: [marked(first, marker, variants), ...rest], splices: shifted }
  }
  const shifted = splices.map((splice) => ({ ...splice, message: splice.message + 1 }))
  return { messages: [marked(SAYS_NOTHING, marker, variants), ...messages], splices: shifted }
}

function marked(message: Message, marker: string, variants: Variants): Message {
  return variants.of(message, 'marked', () => prefixMessage(message, marker))
}

function canCarryMarker(message: Message): boolean {
  return (message.role === 'system' || message.role === 'user') && message.parts[0]?.type === 'text'
}

function shiftText(splice: Splice, shift: number): Splice {
  if (splice.kind !== 'text' || splice.message !== 0 || splice.part !== 0) return splice
  return { ...splice, start: splice.start + shift, end: splice.end + shift }
}
