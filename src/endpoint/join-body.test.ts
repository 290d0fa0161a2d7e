import { expect, test } from 'vitest'
import { joinBody } from './join-body.ts'

test('bodies of any size keep their bytes while others are made', () => {
  const sizes = [0, 1, 100, 16_000, 16_384, 16_385, 300_000, 7, 16_384]
  const bodies = Array.from({ length: 200 }, (_, index) => {
    const size = sizes[index % sizes.length] ?? 0
    const head = `head ${index} é𝄞 `
    const piece = Buffer.alloc(size, index % 251)
    return {
      body: joinBody(head, [piece, Buffer.from('|'), piece]),
      expected: Buffer.concat([Buffer.from(head), piece, Buffer.from('|'), piece]),
    }
  })
  expect(bodies.filter(({ body, expected }) => !body.equals(expected))).toEqual([])
})
