import { expect, test } from 'vitest'
import { type Message, prefixMessage, readdressMessage } from '../../message/index.ts'
import { toChatMessages } from './encode-message.ts'
import { sharedWire } from './shared-wire.ts'

/** What must be escaped, halves of pairs and characters of every width, at both ends and within. */
const awkward = '"\\\n\u2028\ud800é✓😀\udc00"'
const long = `${awkward}${`the build ${awkward}`.repeat(200)}${awkward}`
const textMessage = (role: Message['role'], text: string): Message => ({ role, parts: [{ type: 'text', text }] })
const result = (content: string): Message => ({ role: 'tool', parts: [{ type: 'tool_result', id: 'a', content }] })

function wholeWire(message: Message): string {
  return toChatMessages(message, [])
    .map((wire) => JSON.stringify(wire))
    .join()
}

for (const [name, message] of Object.entries({
  'a marked system message': prefixMessage(textMessage('system', long), `[x#2]\n`),
  'a marked user message': prefixMessage(textMessage('user', long), `[${awkward}]\n`),
  'a result under another id': readdressMessage(result(long), `call_${awkward}`),
})) {
  test(`in two pieces it is what it is in one: ${name}`, () => {
    const [head, tail] = sharedWire(message) ?? []
    expect(`${head}${tail}`).toBe(wholeWire(message))
  })
}

test('messages made of one share all but their beginning', () => {
  const recorded = result(long)
  const [first, second] = ['x', 'y'].map((id) => sharedWire(readdressMessage(recorded, id)))
  expect(first?.[1]).toBe(second?.[1])
  expect(first?.[0]).not.toBe(second?.[0])
  const system = textMessage('system', long)
  expect(sharedWire(prefixMessage(system, 'a'))?.[1]).toBe(sharedWire(prefixMessage(system, 'b'))?.[1])
})

for (const [name, message] of Object.entries({
  'made of none': result(long),
  'too short': readdressMessage(result('ok'), 'b'),
  'of several parts': prefixMessage(
    { role: 'user', parts: [...textMessage('user', long).parts, { type: 'text', text: 'b' }] },
    'a',
  ),
  'several results': readdressMessage({ role: 'tool', parts: [...result(long).parts, ...result(long).parts] }, 'b'),
  'an assistant turn': prefixMessage(textMessage('assistant', long), 'a'),
  'a result among other roles': readdressMessage({ ...result(long), role: 'user' }, 'b'),
})) {
  test(`there is nothing to share: ${name}`, () => {
    expect(sharedWire(message)).toBeUndefined()
  })
}
