import { expect, test } from 'vitest'
import { readTools } from './read-tools.ts'

const schema = { type: 'object', properties: { city: { type: 'string' } } }
const weather = { name: 'get_weather', description: 'The weather', parameters: schema }

function read(value: unknown) {
  const unknown: unknown[] = []
  return { tools: readTools(value, (entry) => unknown.push(entry)), unknown }
}

test.each<[string, unknown]>([
  ['flat', { type: 'function', ...weather }],
  ['nested', { type: 'function', function: weather }],
  ['inputSchema', { name: 'get_weather', description: 'The weather', inputSchema: schema }],
  ['input_schema', { name: 'get_weather', description: 'The weather', input_schema: schema }],
  ['function declarations', { functionDeclarations: [weather] }],
  ['a tool spec', { toolSpec: { name: 'get_weather', description: 'The weather', inputSchema: { json: schema } } }],
  ['JSON text', JSON.stringify({ type: 'function', function: weather })],
])('reads a definition: %s', (_, entry) => {
  expect(read([entry])).toEqual({ tools: [weather], unknown: [] })
})

test('description and schema may be missing, or the name alone be there', () => {
  expect(read([{ type: 'function', name: 'ls' }, 'cat']).tools).toEqual([{ name: 'ls' }, { name: 'cat' }])
})

test('what names no function is told and left out', () => {
  const entries = [{ type: 'code_interpreter' }, 42, '{"broken', null]
  expect(read(entries)).toEqual({ tools: [], unknown: entries.slice(0, 3) })
})
