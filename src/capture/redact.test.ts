import { expect, test } from 'vitest'
import { redactor } from './redact.ts'

const KEY = new Uint8Array(32)
const redact = redactor(KEY)

function attribute(key: string, stringValue: string): string {
  const { attributes } = redact({ attributes: [{ key, value: { stringValue } }] }) as {
    attributes: [{ value: { stringValue: string } }]
  }
  return attributes[0].value.stringValue
}

test('a text keeps its length, case, digits and punctuation, and nothing of its words', () => {
  const text = 'Customer Anna Müller owes €1,249.50!'
  const redacted = attribute('input.value', text)
  expect(redacted).toHaveLength(text.length)
  expect(redacted).toMatch(/^\p{Lu}\p{Ll}{7} \p{Lu}\p{Ll}{3} \p{Lu}\p{Ll}{5} \p{Ll}{4} €\d,\d{3}\.\d{2}!$/u)
  for (const word of ['Customer', 'Anna', 'Müller', 'owes']) expect(redacted).not.toContain(word)
})

test('equal texts stay equal, and a text inside another stays inside', () => {
  const answer = attribute('a', 'The depot is closed on Sunday.')
  expect(attribute('b', 'Report: The depot is closed on Sunday. Thanks')).toContain(answer)
})

test('messages keep their roles, tools and ids; arguments keep their keys', () => {
  const messages = [
    { role: 'user', content: 'Find Anna' },
    {
      role: 'assistant',
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{"who":"Anna","limit":3}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: '{"found":"Anna"}' },
  ]
  const redacted = JSON.parse(attribute('gen_ai.input.messages', JSON.stringify(messages)))
  expect(redacted).toMatchObject([
    { role: 'user' },
    { role: 'assistant', tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find' } }] },
    { role: 'tool', tool_call_id: 'c1' },
  ])
  expect(JSON.stringify(redacted)).not.toContain('Anna')
  const args = JSON.parse(redacted[1].tool_calls[0].function.arguments)
  expect(args).toEqual({ who: expect.stringMatching(/^\p{Lu}\p{Ll}{3}$/u), limit: 3 })
  expect(JSON.parse(redacted[2].content).found).toBe(args.who)
})

test('structured bodies of log records are redacted too', () => {
  const body = {
    kvlistValue: {
      values: [
        { key: 'role', value: { stringValue: 'user' } },
        { key: 'content', value: { stringValue: 'Anna' } },
      ],
    },
  }
  const redacted = JSON.stringify(redact({ resourceLogs: [{ scopeLogs: [{ logRecords: [{ body }] }] }] }))
  expect(redacted).toContain('"user"')
  expect(redacted).not.toContain('Anna')
})

test('what names things stays; an error message does not', () => {
  expect(attribute('gen_ai.request.model', 'gpt-4o')).toBe('gpt-4o')
  expect(attribute('gen_ai.conversation.id', 'conv-7')).toBe('conv-7')
  expect(attribute('service.name', 'desk')).toBe('desk')
  expect(JSON.stringify(redact({ status: { code: 2, message: 'Anna not found' } }))).not.toContain('Anna')
})

test('without the key the filler is another', () => {
  expect(redactor(new Uint8Array([1]))({ attributes: [{ key: 'a', value: { stringValue: 'Anna' } }] })).not.toEqual(
    redact({ attributes: [{ key: 'a', value: { stringValue: 'Anna' } }] }),
  )
})
