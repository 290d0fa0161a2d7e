import { describe, expect, test } from 'vitest'
import { Interned, isSameJson } from './interned.ts'
import type { RequestRecord } from './records.ts'
import { isSameKind, isSameOutcome, kindFacts, kindHint, outcomeFacts, outcomeHint } from './request-facts.ts'
import { requestRecord } from './run-record.fixture.ts'

function texts(): Interned<string> {
  return new Interned<string>(Object.is, (text) => text)
}

test('equal values have one number, others have others', () => {
  const table = texts()
  const numbers = ['a', 'b', 'a', 'c', 'b'].map((text) => table.numberOf(text, text))
  expect(numbers).toEqual([0, 1, 0, 2, 1])
  expect(numbers.map((number) => table.at(number))).toEqual(['a', 'b', 'a', 'c', 'b'])
})

test('a hint that others have too mixes nothing up', () => {
  const table = texts()
  const values = Array.from({ length: 100 }, (_, index) => `v${index}`)
  const numbers = values.map((value) => table.numberOf('same', value))
  expect(numbers.map((number) => table.at(number))).toEqual(values)
  expect(table.numberOf('same', 'v99')).toBe(numbers[99])
})

test('what is forgotten, or comes after it was settled, still stands for itself', () => {
  const table = texts()
  const values = Array.from({ length: 30_000 }, (_, index) => `v${index % 15_000}`)
  const numbers = values.map((value) => table.numberOf(value, value))
  table.settle()
  expect(table.at(table.numberOf('v1', 'v1'))).toBe('v1')
  expect(numbers.map((number) => table.at(number))).toEqual(values)
})

test('values are compared as JSON', () => {
  const value = { a: [1, { b: null }], c: 'x' }
  expect(isSameJson(value, structuredClone(value))).toBe(true)
  for (const other of [null, undefined, 'x', {}, { a: [1, { b: null }] }, { ...value, c: 'y' }, { ...value, a: [1, {}] }]) {
    expect(isSameJson(value, other), JSON.stringify(other)).toBe(false)
  }
})

describe('what a run has many of comes again without being kept again', () => {
  const many = Array.from({ length: 40 }, (_, index) => index)
  const once = (count: (record: RequestRecord) => number, records: readonly RequestRecord[]) => {
    const numbers = [...records, ...records].map(count)
    return Math.max(...numbers) + 1
  }

  test.each<[string, (index: number) => Partial<RequestRecord>]>([
    ['call names', (index) => ({ name: `step ${index}` })],
    ['agents', (index) => ({ agent: `agent ${index}` })],
    ['values of a label', (index) => ({ labels: { tenant: `t${index}` } })],
  ])('%s', (_, differs) => {
    const kinds = new Interned(isSameKind, kindFacts)
    const records = many.map((index) => requestRecord(differs(index)))
    expect(once((record) => kinds.numberOf(kindHint(record), record), records)).toBe(many.length)
  })

  test.each<[string, (index: number) => Partial<RequestRecord>]>([
    ['stages', (index) => ({ stage: index })],
    ['live outputs', (index) => ({ splices: { live: index, diverged: 0 } })],
    ['divergences', (index) => ({ splices: { live: 40 - index, diverged: index } })],
    [
      'tool calls',
      (index) => ({ toolCalls: { matched: index % 3, missing: index % 4, extra: index % 5, renamed: index, malformed: 0 } }),
    ],
  ])('%s', (_, differs) => {
    const outcomes = new Interned(isSameOutcome, outcomeFacts)
    const records = many.map((index) => requestRecord(differs(index)))
    expect(once((record) => outcomes.numberOf(outcomeHint(record), record), records)).toBe(many.length)
  })
})
