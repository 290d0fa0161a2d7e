import { hasCycle } from 'graphology-dag'
import { describe, expect, test } from 'vitest'
import { buildGraph } from './build-graph.ts'
import { dependencyGraph } from './dependency-graph.ts'
import { randomSession, seeded, shuffled } from './random-session.fixture.ts'
import type { ReplayGraph } from './replay-graph.ts'
import { afterOf, assistant, type CallSketch, edgeOf, sessionOf, splicesOf, toolResult, user } from './session.fixture.ts'

const graphOf = (sketches: Readonly<Record<string, CallSketch>>) => buildGraph(sessionOf(sketches))

test('a session without calls has a graph without nodes', () => {
  expect(graphOf({}).nodes).toEqual([])
})

test('nodes stand in the order of start, end, id, and so do the session’s calls', () => {
  const graph = graphOf({ d: { at: [5, 6] }, c: { at: [1, 3] }, b: { at: [1, 2] }, a: { at: [1, 3] } })
  expect(graph.nodes.map(({ call }) => call.id)).toEqual(['b', 'a', 'c', 'd'])
  expect(graph.session.calls).toEqual(graph.nodes.map(({ call }) => call))
})

test('a wait is counted from the last direct predecessor, is never negative, and a root has none', () => {
  const graph = graphOf({ a: { at: [5, 10] }, b: { at: [5, 20] }, c: { at: [32.5, 40] } })
  expect(graph.nodes.map(({ call, waitMs }) => [call.id, waitMs])).toEqual([
    ['a', 0],
    ['b', 0],
    ['c', 12.5],
  ])
})

test('an edge that others imply is dropped, its splice stays', () => {
  const graph = graphOf({
    a: { at: [0, 10], in: [user('1')], out: 'one' },
    b: { at: [20, 30], in: [user('1'), assistant('one'), user('2')], out: 'two' },
    c: { at: [40, 50], in: [user('Sum up'), assistant('one'), assistant('two')] },
  })
  expect(afterOf(graph)).toEqual({ a: [], b: ['a'], c: ['b'] })
  expect(splicesOf(graph).c).toEqual({ 1: 'a', 2: 'b' })
})

test('of several reasons for one edge the strongest is kept', () => {
  const said = 'The answer is long enough to be recognised wherever it stands, in a history and in a tool result.'
  const graph = graphOf({
    a: { at: [0, 10], in: [user('1')], out: said },
    b: { at: [20, 30], in: [user('1'), assistant(said), toolResult(said)] },
  })
  expect(edgeOf(graph, 'a', 'b')?.kind).toBe('context')
  expect(graph.nodes[1]?.splices.map(({ kind }) => kind)).toEqual(['message', 'text'])
})

describe('whatever the session', () => {
  const graphs = Array.from({ length: 100 }, (_, seed) => buildGraph(randomSession(seeded(seed))))

  /** Everything that is wrong in any graph. */
  function faults(check: (graph: ReplayGraph) => Iterable<string>): string[] {
    return graphs.flatMap((graph, seed) => [...check(graph)].map((fault) => `seed ${seed}: ${fault}`))
  }

  test('there are edges of every kind to be checked', () => {
    const kinds = graphs.flatMap(({ nodes }) => nodes.flatMap(({ edges }) => edges.map(({ kind }) => kind)))
    expect(new Set(kinds)).toEqual(new Set(['context', 'output', 'tool-call-id', 'hand-off', 'temporal']))
    expect(Math.max(...graphs.map(({ nodes }) => nodes.length))).toBeGreaterThan(30)
  })

  test('there is no cycle, and no predecessor that had not ended', () => {
    expect(graphs.filter((graph) => hasCycle(dependencyGraph(graph)))).toEqual([])
    const early = faults(function* ({ nodes }) {
      const ends = new Map(nodes.map(({ call }) => [call.id, call.endMs]))
      for (const { call, edges } of nodes)
        for (const { from } of edges) if (!((ends.get(from) ?? Number.NaN) <= call.startMs + 1)) yield `${from} → ${call.id}`
    })
    expect(early).toEqual([])
  })

  test('no edge is implied by others, and each is there once', () => {
    const redundant = faults(function* (graph) {
      const ancestors = ancestorsOf(graph)
      for (const { call, edges } of graph.nodes)
        for (const [index, { from }] of edges.entries())
          if (edges.some((other, k) => k !== index && (other.from === from || ancestors.get(other.from)?.has(from))))
            yield `${from} → ${call.id}`
    })
    expect(redundant).toEqual([])
  })

  test('what a splice takes has ended: its source is an ancestor', () => {
    const stray = faults(function* (graph) {
      const ancestors = ancestorsOf(graph)
      for (const { call, splices } of graph.nodes)
        for (const { from } of splices) if (!ancestors.get(call.id)?.has(from)) yield `${from} → ${call.id}`
    })
    expect(stray).toEqual([])
  })

  test('splices stand in order, each in a place of its own', () => {
    const misplaced = faults(function* ({ nodes }) {
      for (const { call, splices } of nodes)
        for (const [index, splice] of splices.entries()) {
          const next = splices[index + 1]
          const isTurn = call.messages[splice.message]?.role === 'assistant'
          if (isTurn !== (splice.kind === 'message')) yield `${call.id} messages[${splice.message}]`
          if (next === undefined || next.message > splice.message) continue
          const apart =
            splice.kind === 'text' &&
            next.kind === 'text' &&
            next.message === splice.message &&
            (next.part > splice.part || next.start >= splice.end)
          if (!apart) yield `${call.id} messages[${splice.message}] and messages[${next.message}]`
        }
    })
    expect(misplaced).toEqual([])
  })

  test('the order of the calls makes no difference', () => {
    const facts = ({ nodes }: ReplayGraph) => JSON.stringify(nodes.map(({ call, ...node }) => ({ id: call.id, ...node })))
    for (const [seed, graph] of graphs.entries()) {
      const mixed = { ...graph.session, calls: shuffled(graph.session.calls, seeded(seed + 1_000)) }
      expect(facts(buildGraph(mixed)), `seed ${seed}`).toBe(facts(graph))
    }
  })
})

describe('hostile times and sizes', () => {
  test('calls without a duration at one instant form a chain by id, since each has ended when the next starts', () => {
    expect(afterOf(graphOf({ b: { at: [0, 0] }, a: { at: [0, 0] }, c: { at: [0, 0] } }))).toEqual({ a: [], b: ['a'], c: ['b'] })
  })

  test('calls at one time are parallel', () => {
    expect(afterOf(graphOf({ a: { at: [0, 9] }, b: { at: [0, 9] }, c: { at: [9, 9] } }))).toEqual({ a: [], b: [], c: ['a', 'b'] })
  })

  test('a call that ends before it starts does not break the order', () => {
    const graph = graphOf({ a: { at: [10, 0] }, b: { at: [5, 6] }, c: { at: [20, 30] } })
    expect(hasCycle(dependencyGraph(graph))).toBe(false)
    expect(afterOf(graph)).toEqual({ b: [], a: ['b'], c: ['a'] })
  })

  test('many unlinked calls in a row are a chain', () => {
    const sketches: Record<string, CallSketch> = {}
    for (let k = 0; k < 2_000; k++) sketches[`c${k}`] = { at: [k * 10, k * 10 + 5] }
    expect(graphOf(sketches).nodes.every(({ edges }, k) => edges.length === Math.min(k, 1))).toBe(true)
  })

  test('a long conversation is a chain', () => {
    const history = [user('0')]
    const sketches: Record<string, CallSketch> = {}
    for (let k = 0; k < 300; k++) {
      sketches[`c${k}`] = { at: [k * 10, k * 10 + 5], in: [...history], out: 'Done.' }
      history.push(assistant('Done.'), user('Next'))
    }
    const graph = graphOf(sketches)
    expect(graph.nodes.every(({ edges }, k) => edges.length === Math.min(k, 1))).toBe(true)
    expect(graph.nodes.at(-1)?.splices.map(({ from }) => from)).toEqual(Array.from({ length: 299 }, (_, k) => `c${k}`))
  })

  test('ids that are names of object properties are ids like others', () => {
    const graph = graphOf({
      ['__proto__']: { at: [0, 1] },
      constructor: { at: [2, 3] as const },
      toString: { at: [4, 5] as const },
    })
    expect(graph.nodes.map(({ call, edges }) => [call.id, edges.map(({ from }) => from)])).toEqual([
      ['__proto__', []],
      ['constructor', ['__proto__']],
      ['toString', ['constructor']],
    ])
    expect(hasCycle(dependencyGraph(graph))).toBe(false)
  })
})

function ancestorsOf({ nodes }: ReplayGraph): Map<string, Set<string>> {
  const ancestors = new Map<string, Set<string>>()
  for (const { call, edges } of nodes) {
    const own = new Set<string>()
    for (const { from } of edges) {
      own.add(from)
      for (const id of ancestors.get(from) ?? []) own.add(id)
    }
    ancestors.set(call.id, own)
  }
  return ancestors
}
