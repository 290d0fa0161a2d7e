import { expect, test } from 'vitest'
import { flatEntries, nestedEntry, unflatten, unflattenList } from './unflatten.ts'

const attributes = (object: Record<string, string>) => new Map(Object.entries(object))

test('positions become a list in their order, names become objects', () => {
  expect(
    unflatten(attributes({ 'p.10.role': 'c', 'p.2.role': 'b', 'p.0.role': 'a', 'p.0.calls.0.name': 'f', other: 'x' }), 'p'),
  ).toEqual([{ role: 'a', calls: [{ name: 'f' }] }, { role: 'b' }, { role: 'c' }])
})

test('a huge position costs nothing', () => {
  expect(unflattenList(attributes({ 'p.999999999.role': 'a' }), 'p')).toEqual([{ role: 'a' }])
})

test('names of an attacker stay names', () => {
  const value = unflatten(attributes({ 'p.__proto__.polluted': 'x', 'p.constructor.prototype.polluted': 'x' }), 'p')
  expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor'])
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})

test('where a value and a branch meet, the branch stays, in whatever order they came', () => {
  expect(unflatten(attributes({ 'p.a': 'leaf', 'p.a.b': 'x' }), 'p')).toEqual({ a: { b: 'x' } })
  expect(unflatten(attributes({ 'p.a.b': 'x', 'p.a': 'leaf' }), 'p')).toEqual({ a: { b: 'x' } })
})

test('a path without end is ignored', () => {
  expect(unflatten(attributes({ [`p.${'a.'.repeat(10_000)}b`]: 'x' }), 'p')).toBeUndefined()
})

test('nothing under the prefix is nothing', () => {
  expect(unflatten(attributes({ prefix: 'x', 'prefixed.0': 'y' }), 'prefix')).toBeUndefined()
})

test('entries stay flat until one is nested', () => {
  const flat = attributes({ 'p.0.role': 'a', 'p.0.calls.0.name': 'f', other: 'x', 'p.7.role': 'b' })
  const entries = flatEntries(flat, 'p') ?? []
  expect(entries.map((entry) => nestedEntry(entry, 'p'))).toEqual([{ role: 'a', calls: [{ name: 'f' }] }, { role: 'b' }])
  expect(unflattenList(flat, 'p')).toEqual(entries.map((entry) => nestedEntry(entry, 'p')))
})

test.each([
  ['out of order', { 'p.1.role': 'b', 'p.0.role': 'a' }],
  ['in pieces', { 'p.0.role': 'a', 'p.1.role': 'b', 'p.0.content': 'c' }],
  ['no position', { 'p.0.role': 'a', 'p.x.role': 'b' }],
  ['nothing under a position', { 'p.0': 'a' }],
  ['a huge position', { 'p.9999999999.role': 'a' }],
  ['a position written twice', { 'p.1.role': 'a', 'p.01.role': 'b' }],
])('entries that are not simply in order are left to be nested together: %s', (_, flat) => {
  expect(flatEntries(attributes(flat), 'p')).toBeUndefined()
})
