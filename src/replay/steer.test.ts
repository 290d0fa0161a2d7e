import { expect, test } from 'vitest'
import type { Call, Message } from '../message/index.ts'
import { assistant, type CallSketch, graphOf, text, toolCall, toolResult } from './graph.fixture.ts'
import { estimateTokens, standInTools, steer } from './steer.ts'

const SEARCH = { name: 'search' }
const FETCH = { name: 'fetch' }

function call(sketch: Partial<CallSketch>): Call {
  const [node] = graphOf('s', [{ id: 'a', ...sketch }]).nodes
  if (node === undefined) throw new Error('no node')
  return node.call
}

const answering = (...names: string[]): Message => assistant(...names.map((name, i) => toolCall(`c${i}`, name)))

test('one recorded call of a known function is asked for by name', () => {
  expect(steer(call({ tools: [SEARCH, FETCH], output: answering('fetch') }), []).toolChoice).toEqual({ name: 'fetch' })
})

test.each([
  ['several calls', answering('fetch', 'search')],
  ['several calls of one function', answering('fetch', 'fetch')],
  ['a function that was not offered', answering('other')],
])('%s: any call is required', (_, output) => {
  expect(steer(call({ tools: [SEARCH, FETCH], output }), []).toolChoice).toBe('required')
})

test('an answer in text leaves the choice to the model', () => {
  expect(steer(call({ tools: [SEARCH] }), [])).not.toHaveProperty('toolChoice')
})

test('a text answer is as long as the recorded one, to the token', () => {
  expect(steer(call({ outputTokens: 37 }), [])).toMatchObject({ maxTokens: 37, forceOutputTokens: 37, plannedOutputTokens: 37 })
})

test('a tool call gets room to end by itself', () => {
  const steering = steer(call({ tools: [SEARCH], output: answering('search'), outputTokens: 20 }), [])
  expect(steering.maxTokens).toBeGreaterThan(40)
  expect(steering).not.toHaveProperty('forceOutputTokens')
  expect(steering.plannedOutputTokens).toBe(20)
})

test('without recorded usage the length is estimated from the recorded output', () => {
  const silent = { ...call({ output: text('assistant', 'x'.repeat(400)) }), usage: null }
  expect(steer(silent, [])).toMatchObject({ maxTokens: 100, forceOutputTokens: 100 })
})

test('without output or usage the recorded limit holds', () => {
  const failed = { ...call({ output: null }), usage: null, params: { maxTokens: 512 } }
  expect(steer(failed, [])).toEqual({ tools: [], maxTokens: 512, plannedOutputTokens: null })
})

test('where no tools were recorded, bare ones stand in: the same list for every call that uses tools', () => {
  const first = call({ output: answering('search') })
  const second = call({ messages: [text('user', 'q'), answering('search'), toolResult('c0', 'r')], output: answering('fetch') })
  const plain = call({})
  const standIns = standInTools([first, second, plain])
  expect(standIns.map((tool) => tool.name)).toEqual(['search', 'fetch'])
  expect(steer(first, standIns)).toMatchObject({ tools: standIns, toolChoice: { name: 'search' } })
  expect(steer(second, standIns)).toMatchObject({ tools: standIns, toolChoice: { name: 'fetch' } })
  expect(steer(plain, standIns).tools).toEqual([])
})

test('no stand-ins where tools were recorded', () => {
  expect(standInTools([call({ tools: [SEARCH], output: answering('search') })])).toEqual([])
})

test('an estimate is never zero', () => {
  expect(estimateTokens(assistant())).toBe(1)
})
