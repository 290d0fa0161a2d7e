import { expect, test } from 'vitest'
import { Interner, type ToolDefinition } from '../message/index.ts'
import { ContentReader } from './content-reader.ts'
import { splitGluedCalls } from './split-glued-calls.ts'

const tools = (...names: string[]): ToolDefinition[] => names.map((name) => ({ name }))

function split(id: string, name: string, args: string, offered: readonly ToolDefinition[] = []) {
  const notes: string[] = []
  const content = new ContentReader(new Interner(), new Map(), (code) => notes.push(code))
  const output = content.message('assistant', [{ type: 'tool_call', id, name, arguments: args }])
  const parts = splitGluedCalls(output, offered, content).parts
  return {
    calls: parts.map((part) => (part.type === 'tool_call' ? `${part.id}=${part.name}${part.arguments}` : part.type)),
    notes,
  }
}

test('names, ids and arguments that were added up come apart', () => {
  expect(split('call_1acall_22b', 'depthdepth', '{"a":1}{"a":2}')).toEqual({
    calls: ['call_1a=depth{"a":1}', 'call_22b=depth{"a":2}'],
    notes: ['glued-tool-calls'],
  })
})

test('different names come apart by the tools there are, the longest first', () => {
  expect(split('', 'depthdepth_of', '{}{}', tools('depth', 'depth_of')).calls).toEqual(['=depth{}', '=depth_of{}'])
})

test('a name that tells nothing stands for each', () => {
  expect(split('x', 'depth', '{}\n{}').calls).toEqual(['=depth{}', '=depth{}'])
})

test('braces in texts are no boundary', () => {
  expect(split('', 'f', '{"a":"}{\\"}{"}{"b":{"c":"\\\\"}}').calls).toEqual(['=f{"a":"}{\\"}{"}', '=f{"b":{"c":"\\\\"}}'])
})

test.each(['{"a":1}', '{"a":"}{"}', '{"a":1}{"a":', '}{', '{}{} and more', '{a}{b}', '{}{}'.repeat(1_000)])(
  '%.20s is left as it is',
  (args) => {
    expect(split('call_1', 'f', args)).toEqual({ calls: [`call_1=f${args}`], notes: [] })
  },
)

test('a long text of braces costs no more than it is long', () => {
  expect(split('', 'f', `${'{'.repeat(1_000_000)}}{`).calls).toHaveLength(1)
})
