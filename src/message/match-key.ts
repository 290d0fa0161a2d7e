import { hash } from 'node:crypto'
import { canonicalJson } from './canonical-json.ts'
import type { Message } from './message.ts'

/** 132 bits: enough that two different messages of one input set never share a key. */
const KEY_LENGTH = 22

/** The messages themselves are the keys, weakly: a session that is dropped takes its entries along. */
const known = new WeakMap<Message, string | undefined>()

/**
 * A short digest by which a message of a later request is recognised as an earlier one, above all an assistant message as a
 * predecessor's output. Equal keys mean equal after normalising:
 *
 * - outer white space is dropped, text parts are joined, the order of parts does not count;
 * - a tool call counts with its name and its arguments as canonical JSON, without its id;
 * - reasoning does not count: histories drop it.
 *
 * @returns `undefined` for a message in which nothing is left to compare: an empty output equals no message
 */
export function matchKey(message: Message): string | undefined {
  if (known.has(message)) return known.get(message)
  const form = comparableForm(message)
  const key = form === undefined ? undefined : hash('sha256', form, 'base64').slice(0, KEY_LENGTH)
  known.set(message, key)
  return key
}

function comparableForm({ role, parts }: Message): string | undefined {
  let text = ''
  const others: string[] = []
  for (const part of parts) {
    switch (part.type) {
      case 'text':
        text += part.text
        break
      case 'tool_call':
        others.push(field('call', part.name) + field('arguments', canonicalArguments(part.arguments)))
        break
      case 'tool_result':
        others.push(field('result', part.content.trim()))
        break
      case 'media':
        others.push(field('media', 'uri' in part.source ? part.source.uri : part.source.data))
        break
      case 'reasoning':
        break
    }
  }
  text = text.trim()
  if (text === '' && others.length === 0) return undefined
  return field(role, text) + others.sort().join('')
}

/** Carries its length, so that no text can be mistaken for the boundary of a field. */
function field(label: string, value: string): string {
  return `${label} ${value.length}:${value}`
}

/** A call without arguments is recorded as `''`, `'null'` or `'{}'`; some recorders write the JSON text as a JSON string. */
function canonicalArguments(text: string): string {
  const canonical = canonicalJson(text)
  if (canonical === '' || canonical === 'null') return '{}'
  const inner = quotedText(canonical)
  return inner === undefined ? canonical : canonicalArguments(inner)
}

function quotedText(json: string): string | undefined {
  if (!json.startsWith('"')) return undefined
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
