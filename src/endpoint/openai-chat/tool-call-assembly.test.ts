import { expect, test } from 'vitest'
import { ToolCallAssembly } from './tool-call-assembly.ts'

type Call = readonly [id: string, name: string, args: string]

function assemble(deltas: readonly unknown[]): Call[] {
  const assembly = new ToolCallAssembly()
  for (const delta of deltas) assembly.add(delta)
  let invented = 0
  return assembly.parts(() => `invented_${++invented}`).map((part) => [part.id, part.name, part.arguments])
}

const entry = (index: number | undefined, id: string | undefined, name: string | undefined, args?: unknown) => ({
  ...(index !== undefined && { index }),
  ...(id !== undefined && { id }),
  type: 'function',
  function: { ...(name !== undefined && { name }), ...(args !== undefined && { arguments: args }) },
})

const cases: readonly [name: string, deltas: readonly unknown[], calls: readonly Call[]][] = [
  [
    'one call in pieces',
    [[entry(0, 'a', 'f', '')], [entry(0, undefined, undefined, '{"x"')], [entry(0, undefined, undefined, ':1}')]],
    [['a', 'f', '{"x":1}']],
  ],
  ['empty ids and names in later pieces', [[entry(0, 'a', 'f', '{')], [entry(0, '', '', '}')]], [['a', 'f', '{}']]],
  [
    'null ids and names in later pieces',
    [[entry(0, 'a', 'f', '{')], [{ index: 0, id: null, function: { name: null, arguments: '}' } }]],
    [['a', 'f', '{}']],
  ],
  [
    'several calls in one delta',
    [[entry(0, 'a', 'f', '{}'), entry(1, 'b', 'g', '[]')]],
    [
      ['a', 'f', '{}'],
      ['b', 'g', '[]'],
    ],
  ],
  [
    'pieces of two calls in turn',
    [
      [entry(0, 'a', 'f', '')],
      [entry(1, 'b', 'g', '')],
      [entry(0, undefined, undefined, '1')],
      [entry(1, undefined, undefined, '2')],
      [entry(0, undefined, undefined, '3')],
    ],
    [
      ['a', 'f', '13'],
      ['b', 'g', '2'],
    ],
  ],
  [
    'calls that all claim index 0',
    [[entry(0, 'a', 'f', '1')], [entry(0, 'b', 'g', '')], [entry(0, undefined, undefined, '2')]],
    [
      ['a', 'f', '1'],
      ['b', 'g', '2'],
    ],
  ],
  [
    'calls at index 0 in one delta',
    [[entry(0, 'a', 'f', '1'), entry(0, 'b', 'f', '2')]],
    [
      ['a', 'f', '1'],
      ['b', 'f', '2'],
    ],
  ],
  [
    'a return to an earlier id at index 0',
    [
      [entry(0, 'a', 'f', '1')],
      [entry(0, 'b', 'g', '2')],
      [entry(0, 'a', undefined, '3')],
      [entry(0, undefined, undefined, '4')],
    ],
    [
      ['a', 'f', '134'],
      ['b', 'g', '2'],
    ],
  ],
  ['the same id and name in every piece', [[entry(0, 'a', 'f', '{')], [entry(0, 'a', 'f', '}')]], [['a', 'f', '{}']]],
  [
    'no index but ids',
    [[entry(undefined, 'a', 'f', '1')], [entry(undefined, 'b', 'g', '2')], [entry(undefined, 'a', undefined, '3')]],
    [
      ['a', 'f', '13'],
      ['b', 'g', '2'],
    ],
  ],
  [
    'neither index nor id: pieces go to the last call',
    [[entry(undefined, undefined, 'f', '{')], [entry(undefined, undefined, undefined, '}')]],
    [['invented_1', 'f', '{}']],
  ],
  [
    'neither index nor id, two whole calls',
    [[entry(undefined, undefined, 'f', '{}'), entry(undefined, undefined, 'g', '{}')]],
    [
      ['invented_1', 'f', '{}'],
      ['invented_2', 'g', '{}'],
    ],
  ],
  [
    'the same function twice without ids',
    [[entry(0, undefined, 'f', '{"a":1}')], [entry(0, undefined, 'f', '{"a":2}')]],
    [
      ['invented_1', 'f', '{"a":1}'],
      ['invented_2', 'f', '{"a":2}'],
    ],
  ],
  [
    'the name in every piece without ids',
    [[entry(0, undefined, 'f', '{"a"')], [entry(0, undefined, 'f', ':1}')]],
    [['invented_1', 'f', '{"a":1}']],
  ],
  ['an id that comes late', [[entry(0, undefined, 'f', '{')], [entry(0, 'a', undefined, '}')]], [['a', 'f', '{}']]],
  ['a name that comes late', [[entry(0, 'a', undefined, '')], [entry(0, undefined, 'f', '{}')]], [['a', 'f', '{}']]],
  [
    'one id for two calls',
    [[entry(0, 'f', 'f', '1'), entry(1, 'f', 'f', '2')]],
    [
      ['f', 'f', '1'],
      ['invented_1', 'f', '2'],
    ],
  ],
  [
    'indexes that begin at 1 and skip',
    [[entry(1, 'a', 'f', '1')], [entry(7, 'b', 'g', '2')]],
    [
      ['a', 'f', '1'],
      ['b', 'g', '2'],
    ],
  ],
  ['arguments as an object', [[entry(0, 'a', 'f', { x: [1] })]], [['a', 'f', '{"x":[1]}']]],
  ['arguments null', [[entry(0, 'a', 'f', null)]], [['a', 'f', '']]],
  ['a flat call', [[{ id: 'a', name: 'f', arguments: '{}' }]], [['a', 'f', '{}']]],
  ['a custom tool', [[{ id: 'a', type: 'custom', custom: { name: 'f', input: 'free text' } }]], [['a', 'f', 'free text']]],
  ['a lone call instead of a list', [entry(0, 'a', 'f', '{}')], [['a', 'f', '{}']]],
  ['a number as id', [[{ index: 0, id: 7, function: { name: 'f' } }]], [['7', 'f', '']]],
  ['entries that are nothing', [[null, 'x', 3, {}, { index: 0 }, { index: 0, function: null }]], []],
]

test.each(cases)('%s', (_name, deltas, calls) => {
  expect(assemble(deltas)).toEqual(calls)
})
