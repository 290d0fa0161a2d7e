import { expect, test } from 'vitest'
import { assistant, graphOf, text, toolCall } from './graph.fixture.ts'
import { sessionPlan } from './session-plan.ts'

const DIAMOND = [{ id: 'root' }, { id: 'a', after: ['root'] }, { id: 'b', after: ['root'] }, { id: 'join', after: ['a', 'b'] }]

test('each step names the ones that wait for it, in the order of the calls', () => {
  const { steps } = sessionPlan(graphOf('s', DIAMOND))
  const following = steps.map(({ node, index, successors }) => [index, node.call.id, successors.map(({ index }) => index)])
  expect(following).toEqual([
    [0, 'root', [1, 2]],
    [1, 'a', [3]],
    [2, 'b', [3]],
    [3, 'join', []],
  ])
})

test('all that replay a recorded session share its plan, stand-in tools and all', () => {
  const graph = graphOf('s', [{ id: 'a', messages: [text('user', 'go')], output: assistant(toolCall('c', 'search')) }])
  const plan = sessionPlan(graph)
  expect(plan.standInTools.map(({ name }) => name)).toEqual(['search'])
  expect(sessionPlan(graph)).toBe(plan)
  expect(sessionPlan({ ...graph })).not.toBe(plan)
})
