import { expect, test } from 'vitest'
import { jsonForms, quotedStrings } from './json-text.ts'

test('a text that JSON does not change has no other form', () => {
  expect(jsonForms('plain text')).toEqual([])
})

test('a text has the forms it takes in a JSON string, with and without characters beyond ASCII', () => {
  expect(jsonForms('a "b"\n')).toEqual(['a \\"b\\"\\n'])
  expect(jsonForms('é')).toEqual(['\\u00e9'])
  expect(jsonForms('"é"')).toEqual(['\\"é\\"', '\\"\\u00e9\\"'])
})

test.each<[string, string[]]>([
  ['{"a":"b","c":["d",{"e":1}]}', ['a', 'b', 'c', 'd', 'e']],
  ['"whole"', ['whole']],
  ['["a\\"b","c\\\\","d\\u0041"]', ['a"b', 'c\\', 'dA']],
  ['["",1,null]', ['']],
  ['"open', []],
  ['"a\\', []],
  ['["bad\\x","good"]', ['good']],
  ['', []],
])('strings of %s', (json, values) => {
  expect([...quotedStrings(json)].map(({ value }) => value)).toEqual(values)
  for (const { value, start, end } of quotedStrings(json)) expect(JSON.parse(`"${json.slice(start, end)}"`)).toBe(value)
})
