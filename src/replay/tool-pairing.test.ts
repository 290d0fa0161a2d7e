import { expect, test } from 'vitest'
import { assistant, text, toolCall, toolResult } from './graph.fixture.ts'
import { pairToolResults } from './tool-pairing.ts'

function pairs(messages: Parameters<typeof pairToolResults>[0]) {
  const { turns, orphans } = pairToolResults(messages)
  return { turns: Object.fromEntries([...turns].map(([turn, calls]) => [turn, calls.map((call) => call.result)])), orphans }
}

test('results are paired by id, whatever their order', () => {
  expect(pairs([assistant(toolCall('a', 'f'), toolCall('b', 'g')), toolResult('b', '2'), toolResult('a', '1')])).toEqual({
    turns: { 0: [2, 1] },
    orphans: [],
  })
})

test('without ids, or with ids of another kind, order decides', () => {
  expect(pairs([assistant(toolCall('', 'f'), toolCall('', 'g')), toolResult('', '1'), toolResult('', '2')]).turns).toEqual({
    0: [1, 2],
  })
  expect(
    pairs([assistant(toolCall('fc_1', 'f'), toolCall('fc_2', 'g')), toolResult('call_1', '1'), toolResult('call_2', '2')]).turns,
  ).toEqual({ 0: [1, 2] })
})

test('an id that is used again in a later turn belongs to the turn it follows', () => {
  const turn = assistant(toolCall('f', 'f'))
  expect(pairs([turn, toolResult('f', '1'), turn, toolResult('f', '2')])).toEqual({ turns: { 0: [1], 2: [3] }, orphans: [] })
})

test('a call without a result and a result without a call are told', () => {
  expect(pairs([toolResult('x', '0'), assistant(toolCall('a', 'f')), text('user', 'never mind'), assistant()])).toEqual({
    turns: { 1: [undefined] },
    orphans: [0],
  })
})

test('more results than calls leave the rest over', () => {
  expect(pairs([assistant(toolCall('a', 'f')), toolResult('a', '1'), toolResult('a', '2')])).toEqual({
    turns: { 0: [1] },
    orphans: [2],
  })
})
