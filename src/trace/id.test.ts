import { expect, test } from 'vitest'
import { readByteId, readId } from './id.ts'

const HEX = '00f067aa0ba902b7'
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'

test.each([
  [HEX, HEX],
  [HEX.toUpperCase(), HEX],
  [`0x${HEX}`, HEX],
  ['0xAB', 'ab'],
  ['0000000000000000', ''],
  ['span_001', 'span_001'],
  ['Root', 'Root'],
  ['ABC', 'ABC'],
  ['0', '0'],
  [7, '7'],
  [null, ''],
  [undefined, ''],
  [{}, ''],
])('readId(%j) is %j', (value, id) => {
  expect(readId(value)).toBe(id)
})

test.each<[unknown, 8 | 16, string]>([
  [HEX, 8, HEX],
  [HEX.toUpperCase(), 8, HEX],
  [Buffer.from(HEX, 'hex').toString('base64'), 8, HEX],
  [Buffer.from(TRACE, 'hex').toString('base64'), 16, TRACE],
  [Buffer.from(TRACE, 'hex').toString('base64').replace(/=+$/, ''), 16, TRACE],
  [Buffer.from(TRACE, 'hex').toString('base64url'), 16, TRACE],
  ['AAAAAAAAAAA=', 8, ''],
  ['my-first-span', 8, 'my-first-span'],
  ['', 8, ''],
  [undefined, 16, ''],
])('readByteId(%j) of %i bytes is %j', (value, bytes, id) => {
  expect(readByteId(value, bytes)).toBe(id)
})
