import { expect, test } from 'vitest'
import { alterationOf, type Message, prefixMessage, readdressMessage } from './index.ts'

const system: Message = { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] }
const result: Message = { role: 'tool', parts: [{ type: 'tool_result', id: 'recorded', content: 'ok' }] }

test('a prefixed message has the words before its text, and says so', () => {
  const marked = prefixMessage(system, '[a#2]\n')
  expect(marked).toEqual({ role: 'system', parts: [{ type: 'text', text: '[a#2]\nBe brief.' }] })
  expect(alterationOf(marked)).toEqual({ kind: 'prefixed', of: system, prefix: '[a#2]\n' })
})

test('a readdressed message answers the other call, and says so', () => {
  const live = readdressMessage(result, 'live')
  expect(live).toEqual({ role: 'tool', parts: [{ type: 'tool_result', id: 'live', content: 'ok' }] })
  expect(alterationOf(live)).toEqual({ kind: 'readdressed', of: result, id: 'live' })
})

test('readdressed twice it is still of the first one', () => {
  expect(alterationOf(readdressMessage(readdressMessage(result, 'live'), 'later'))).toEqual({
    kind: 'readdressed',
    of: result,
    id: 'later',
  })
})

test('any other message was made of none', () => {
  expect(alterationOf(system)).toBeUndefined()
})
