import { expect, test } from 'vitest'
import { findList, scanEntries } from './json-list-scan.ts'

const KEYS = new Set(['messages'])
const found = (text: string) => {
  const list = findList(text, KEYS)
  return list && [list.path.join('.'), text.slice(list.start)]
}

test.each([
  ['a text that is a list', ' [1]', ['', '1]']],
  ['a key of the object', '{"model":"m","messages":[1],"tools":[]}', ['messages', '1],"tools":[]}']],
  ['a key of an object inside', '{"body":{"n":1,"messages" : [1]}}', ['body.messages', '1]}}']],
  [
    'behind other lists, texts and objects',
    '{"a":[{"messages":[0]}],"b":"\\"messages\\":[","c":{"d":{}},"messages":[1]}',
    ['messages', '1]}'],
  ],
  ['behind a list of lists', '{"a":[[],[[]]],"messages":[]}', ['messages', ']}']],
])('finds %s', (_, text, expected) => {
  expect(found(text)).toEqual(expected)
})

test.each([
  '{}',
  '{"messages":{}}',
  '{"messages":"[1]"}',
  '{"a":{"b":{"messages":[1]}}}',
  '"messages"',
  '',
  '{"messages":',
  '{"messages":"',
])('finds none in %s', (text) => {
  expect(found(text)).toBeUndefined()
})

test.each([
  ['[]', []],
  ['[ ]', []],
  ['[1]', ['1']],
  ['[ 1 ,\n {"a":[1,2],"b":"],}"} , "x\\\\" , [ ] ]', ['1', '{"a":[1,2],"b":"],}"}', '"x\\\\"', '[ ]']],
])('entries of %s', (text, entries) => {
  const scanned = scanEntries(text, 1)
  let from = 1
  const cut = scanned?.ends.map((end) => {
    const entry = text.slice(from, end).replace(/^[\s,]+/, '')
    from = end
    return entry
  })
  expect(cut).toEqual(entries)
  expect(scanned?.close).toBe(text.length - 1)
})

test.each(['[1', '["a', '[{"a":1]', '['])('%s does not end', (text) => {
  expect(scanEntries(text, 1)).toBeUndefined()
})
