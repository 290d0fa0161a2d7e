import { expect, test } from 'vitest'
import { buildGraph } from './build-graph.ts'
import { afterOf, assistant, type CallSketch, edgeOf, sessionOf, toolCall, toolResult, user } from './session.fixture.ts'

const after = (sketches: Readonly<Record<string, CallSketch>>) => afterOf(buildGraph(sessionOf(sketches)))

/** Two calls of which the second goes on with the first. */
function conversation(
  name: string,
  first: CallSketch['at'],
  second: CallSketch['at'],
  paths: readonly (readonly string[])[] = [],
) {
  const question = user(`First question of ${name}`)
  return {
    [`${name}1`]: { at: first, in: [question], out: `First answer of ${name}`, path: paths[0] ?? [] },
    [`${name}2`]: {
      at: second,
      in: [question, assistant(`First answer of ${name}`), toolResult(`Result for ${name}`)],
      out: `Second answer of ${name}`,
      path: paths[1] ?? paths[0] ?? [],
    },
  } satisfies Record<string, CallSketch>
}

test('calls in a row wait for each other', () => {
  expect(after({ a: { at: [0, 1] }, b: { at: [2, 3] }, c: { at: [4, 5] } })).toEqual({ a: [], b: ['a'], c: ['b'] })
})

test('a fan-out starts after its root, and what follows waits for every branch', () => {
  expect(
    after({
      root: { at: [0, 10] },
      a: { at: [12, 30] },
      b: { at: [13, 25] },
      c: { at: [14, 40] },
      join: { at: [50, 60] },
    }),
  ).toEqual({ root: [], a: ['root'], b: ['root'], c: ['root'], join: ['a', 'b', 'c'] })
})

test('the branches of a fan-out run in the gap of a conversation that goes on', () => {
  const branches = { a: { at: [12, 30] }, b: { at: [13, 25] }, c: { at: [26, 40] } } satisfies Record<string, CallSketch>
  expect(after({ ...conversation('lead', [0, 10], [50, 60]), ...branches })).toEqual({
    lead1: [],
    a: ['lead1'],
    b: ['lead1'],
    // b had made room for it.
    c: ['b'],
    lead2: ['a', 'c'],
  })
})

test('the edges around a gap say between which calls the thread ran', () => {
  const graph = buildGraph(sessionOf({ ...conversation('lead', [0, 10], [50, 60]), ...conversation('sub', [12, 20], [22, 40]) }))
  expect(afterOf(graph)).toEqual({ lead1: [], sub1: ['lead1'], sub2: ['sub1'], lead2: ['sub2'] })
  expect(edgeOf(graph, 'lead1', 'sub1')).toMatchObject({ kind: 'temporal', evidence: 'this call ran between it and lead2' })
  expect(edgeOf(graph, 'sub2', 'lead2')).toMatchObject({ kind: 'temporal', evidence: 'it ran between lead1 and this call' })
})

test('sub-agents nest', () => {
  expect(
    after({
      ...conversation('lead', [0, 10], [90, 99]),
      ...conversation('sub', [12, 20], [70, 80]),
      ...conversation('subsub', [22, 30], [40, 50]),
    }),
  ).toEqual({
    lead1: [],
    sub1: ['lead1'],
    subsub1: ['sub1'],
    subsub2: ['subsub1'],
    sub2: ['subsub2'],
    lead2: ['sub2'],
  })
})

test('where a conversation forks after a gap, both branches wait', () => {
  const question = user('Which way?')
  const go = (way: string) => [question, assistant('Both.'), user(way)]
  expect(
    after({
      fork: { at: [0, 10], in: [question], out: 'Both.' },
      helper: { at: [12, 20] },
      left: { at: [30, 40], in: go('left') },
      right: { at: [31, 40], in: go('right') },
    }),
  ).toEqual({ fork: [], helper: ['fork'], left: ['helper'], right: ['helper'] })
})

test('a gap reaches over starts rounded down to the millisecond', () => {
  expect(after({ ...conversation('lead', [0, 10.6], [50, 60]), sub: { at: [10, 50.4] } })).toMatchObject({
    sub: ['lead1'],
    lead2: ['sub'],
  })
})

test('outside a gap time is strict', () => {
  expect(after({ a: { at: [0, 10.4] }, b: { at: [10, 20] } })).toEqual({ a: [], b: [] })
  expect(after({ a: { at: [0, 10] }, b: { at: [10, 20] } })).toEqual({ a: [], b: ['a'] })
})

test('conversations that merely interleave are never coupled', () => {
  expect(after({ ...conversation('a', [0, 10], [30, 40]), ...conversation('b', [15, 25], [50, 60]) })).toEqual({
    a1: [],
    b1: [],
    a2: ['a1'],
    b2: ['b1'],
  })
})

test('a single call between two interleaved conversations does not couple them', () => {
  const graph = after({
    ...conversation('a', [0, 10], [40, 50]),
    ...conversation('b', [5, 15], [60, 70]),
    title: { at: [20, 30] },
  })
  expect(graph).toMatchObject({ a1: [], b1: [], a2: ['a1'] })
  // The gap opened last is the closest to it.
  expect(graph).toMatchObject({ title: ['b1'], b2: ['title'] })
})

test('what ran for a conversation is not waited for by what ran for another that interleaves with it', () => {
  const helped = {
    ...conversation('a', [0, 10], [60, 70]),
    helperOfA: { at: [12, 20] },
    ...conversation('b', [15, 25], [50, 80]),
    helperOfB: { at: [30, 40] },
  } satisfies Record<string, CallSketch>
  expect(after(helped)).toEqual({
    a1: [],
    helperOfA: ['a1'],
    b1: [],
    helperOfB: ['b1'],
    b2: ['helperOfB'],
    a2: ['helperOfA'],
  })
})

test('helpers of one conversation wait for each other', () => {
  expect(after({ ...conversation('a', [0, 10], [60, 70]), one: { at: [12, 20] }, two: { at: [25, 30] } })).toEqual({
    a1: [],
    one: ['a1'],
    two: ['one'],
    a2: ['two'],
  })
})

test('a helper of a helper is known to those who wait for the conversation it all ran for', () => {
  const nested = {
    ...conversation('lead', [0, 10], [90, 99]),
    ...conversation('sub', [12, 20], [40, 50]),
    tiny: { at: [22, 30] },
  } satisfies Record<string, CallSketch>
  expect(after({ ...nested, late: { at: [60, 70] } })).toMatchObject({
    tiny: ['sub1'],
    sub2: ['tiny'],
    late: ['sub2'],
    lead2: ['late'],
  })
})

test('nor is what ran for what ran for it', () => {
  const helped = {
    ...conversation('a', [0, 10], [100, 110]),
    ...conversation('sub', [12, 14], [20, 22]),
    tiny: { at: [15, 19] },
    ...conversation('b', [17, 25], [90, 120]),
    helperOfB: { at: [30, 40] },
  } satisfies Record<string, CallSketch>
  expect(after(helped)).toMatchObject({ tiny: ['sub1'], helperOfB: ['b1'], a2: ['sub2'], b2: ['helperOfB'] })
})

test('a helper does not wait for what ran beside the agent it helps, only for what helped that agent', () => {
  const helped = {
    ...conversation('lead', [0, 10], [90, 99]),
    ...conversation('agent', [12, 20], [60, 70]),
    beside: { at: [13, 30] },
    first: { at: [21, 28] },
    second: { at: [35, 40] },
  } satisfies Record<string, CallSketch>
  expect(after(helped)).toMatchObject({ beside: ['lead1'], first: ['agent1'], second: ['first'], lead2: ['beside', 'agent2'] })
})

test('a conversation that starts after another has ended waits for it', () => {
  expect(after({ ...conversation('a', [0, 10], [12, 20]), ...conversation('b', [25, 30], [31, 40]) })).toMatchObject({
    b1: ['a2'],
  })
})

test('a side call that runs on into a conversation waits for what had ended and holds nothing up', () => {
  expect(after({ ...conversation('a', [0, 10], [20, 40]), title: { at: [12, 30] } })).toEqual({
    a1: [],
    title: ['a1'],
    a2: ['a1'],
  })
})

test('parallel agents in sibling spans are independent, whatever gaps they leave', () => {
  const left = [['root', 'left']]
  const right = [['root', 'right']]
  expect(
    after({
      lead: { at: [0, 5], path: ['root'] },
      ...conversation('a', [10, 20], [90, 99], left),
      ...conversation('b', [30, 40], [50, 60], right),
      join: { at: [100, 110], path: ['root'] },
    }),
  ).toEqual({ lead: [], a1: ['lead'], b1: ['lead'], a2: ['a1'], b2: ['b1'], join: ['b2', 'a2'] })
})

test('a call in one parallel branch does not wait for one that had ended in another', () => {
  expect(
    after({
      lead: { at: [0, 5], path: ['root'] },
      guard: { at: [10, 12], path: ['root', 'left'] },
      ...conversation('a', [13, 20], [90, 99], [['root', 'left']]),
      b: { at: [30, 40], path: ['root', 'right'] },
    }),
  ).toMatchObject({ guard: ['lead'], a1: ['guard'], b: ['lead'] })
})

test('a call beside the span of an agent is parallel to it', () => {
  expect(
    after({
      ...conversation('lead', [0, 10], [90, 99], [['root']]),
      ...conversation('agent', [12, 20], [60, 70], [['root', 'tool']]),
      beside: { at: [30, 40], path: ['root'] },
    }),
  ).toMatchObject({ beside: ['lead1'], agent2: ['agent1'] })
})

test('a call that has lost its parent is no sibling of anything', () => {
  expect(after({ ...conversation('a', [0, 10], [20, 40], [['root']]), stray: { at: [15, 30] } })).toMatchObject({ stray: ['a1'] })
})

test('branches whose answers are gathered stay branches', () => {
  const left = ['root', 'left']
  expect(
    after({
      lead: { at: [0, 5], path: ['root'] },
      a: { at: [10, 20], out: 'a', path: left },
      late: { at: [40, 60], out: 'late', path: left },
      ...conversation('b', [25, 30], [32, 38], [['root', 'right']]),
      join: { at: [70, 80], in: ['a', 'late', 'Second answer of b'].map((text) => assistant(text)), path: ['root'] },
    }),
  ).toEqual({ lead: [], a: ['lead'], b1: ['lead'], b2: ['b1'], late: ['a'], join: ['b2', 'late'] })
})

test('a conversation goes on even when it takes up an answer from elsewhere', () => {
  const question = user('Ask around')
  expect(
    after({
      lead1: { at: [0, 10], in: [question], out: 'I do.' },
      ...conversation('sub', [12, 20], [22, 30]),
      ...conversation('other', [13, 21], [23, 35]),
      lead2: { at: [40, 50], in: [question, assistant('I do.'), assistant('Second answer of other')] },
    }),
  ).toMatchObject({ sub1: ['lead1'], lead2: ['sub2', 'other2'] })
})

test('an agent runs for the thread that gave it its task, not for the one it overlaps', () => {
  const task = 'Find the date of the last inspection.'
  const ask = assistant('', toolCall('delegate', JSON.stringify({ task })))
  expect(
    after({
      lead1: { at: [0, 5], in: [user('Inspect')], out: ask },
      ...conversation('a', [10, 20], [80, 85]),
      b: { at: [30, 40], in: [user(task)] },
      lead2: { at: [90, 99], in: [user('Inspect'), ask, toolResult('12 May')] },
    }),
  ).toEqual({ lead1: [], a1: ['lead1'], b: ['lead1'], a2: ['a1'], lead2: ['b', 'a2'] })
})

test('sibling spans one after the other are steps of one workflow', () => {
  expect(
    after({
      a: { at: [0, 10], path: ['root', 'step 1'] },
      b: { at: [11, 20], path: ['root', 'step 2'] },
      c: { at: [21, 30], path: ['root', 'step 3'] },
    }),
  ).toEqual({ a: [], b: ['a'], c: ['b'] })
})

test('an agent nested below a conversation waits for what it had said, even if it outlives the next turn', () => {
  const nested = [['root', 'tool', 'agent']]
  expect(
    after({ ...conversation('lead', [0, 10], [30, 40], [['root']]), ...conversation('sub', [12, 20], [35, 60], nested) }),
  ).toEqual({ lead1: [], sub1: ['lead1'], lead2: ['lead1'], sub2: ['sub1'] })
})

test('traces of one session that overlap are independent', () => {
  expect(
    after({
      ...conversation('a', [0, 10], [30, 40], [['trace a']]),
      ...conversation('b', [12, 14], [16, 18], [['trace b']]),
    }),
  ).toMatchObject({ b1: [], a2: ['a1'] })
})

test('a conversation over several traces encloses none of them', () => {
  expect(
    after({
      ...conversation('a', [0, 10], [30, 40], [['trace 1'], ['trace 2']]),
      ...conversation('b', [12, 20], [35, 60], [['trace 3']]),
    }),
  ).toMatchObject({ b1: [], a2: ['a1'] })
})

test('an agent whose answer content finds in another thread runs for that thread, not for the one it overlaps', () => {
  const report = 'The parts of the report are all in place; what is missing is the date of the last inspection.'
  const lead = [user('Inspect'), assistant('I ask two agents.')]
  expect(
    after({
      lead1: { at: [0, 5], in: [user('Inspect')], out: 'I ask two agents.' },
      ...conversation('a', [10, 20], [80, 85]),
      // In the gap between a1 and a2, but its answer goes to lead2.
      ...conversation('b', [30, 40], [50, 60]),
      closing: { at: [62, 70], in: [user('First question of b'), assistant('First answer of b'), user('Sum up')], out: report },
      lead2: { at: [90, 99], in: [...lead, toolResult(report), toolResult('Second answer of a')] },
    }),
  ).toEqual({
    lead1: [],
    a1: ['lead1'],
    b1: ['lead1'],
    b2: ['b1'],
    closing: ['b1'],
    a2: ['a1'],
    lead2: ['b2', 'closing', 'a2'],
  })
})

test('a call with a predecessor from content waits for nothing else', () => {
  expect(after({ ...conversation('a', [0, 10], [30, 40]), before: { at: [0, 5] }, other: { at: [8, 29] } })).toMatchObject({
    a2: ['a1'],
  })
})
