import { alterationOf, type Message } from '../../message/index.ts'
import { SHORTEST_SHARED } from '../join-body.ts'
import { oncePerObject } from '../once-per-object.ts'

/**
 * The wire JSON of a message that differs from another one by a few words at the head of its text, or by the id it answers:
 * the long part is made once for all that are made of the same message. Thousands of sessions that replay one recording
 * differ in nothing else.
 *
 * @returns `undefined` where there is nothing to share
 */
export function sharedWire(message: Message): readonly [head: string, tail: Buffer] | undefined {
  const alteration = alterationOf(message)
  if (alteration === undefined || message.parts.length !== 1) return undefined
  const { of } = alteration
  const [part] = of.parts
  if (alteration.kind === 'prefixed') {
    if (part?.type !== 'text' || part.text.length < SHORTEST_SHARED || message.role === 'assistant') return undefined
    return [`{"role":"${message.role}","content":${JSON.stringify(alteration.prefix).slice(0, -1)}`, restOfText(of)]
  }
  if (part?.type !== 'tool_result' || part.content.length < SHORTEST_SHARED || message.role !== 'tool') return undefined
  return [`{"role":"tool","tool_call_id":${JSON.stringify(alteration.id)},"content":`, contentOfResult(of)]
}

/** From behind the opening quote. */
const restOfText = oncePerObject(({ parts: [part] }: Message) =>
  Buffer.from(`${JSON.stringify(part?.type === 'text' ? part.text : '').slice(1)}}`),
)

const contentOfResult = oncePerObject(({ parts: [part] }: Message) =>
  Buffer.from(`${JSON.stringify(part?.type === 'tool_result' ? part.content : '')}}`),
)
