import { expect, test } from 'vitest'
import { text } from './graph.fixture.ts'
import { Variants } from './variants.ts'

test('each alteration of a message is made once, however many there are', () => {
  const variants = new Variants()
  const [one, other] = [text('user', 'one'), text('user', 'other')]
  const keys = ['a', 'b', 'c']
  const made = [one, other].flatMap((message) => keys.map((key) => variants.of(message, key, () => text('user', key))))
  expect(new Set(made).size).toBe(6)
  const again = [one, other].flatMap((message) =>
    keys.map((key) =>
      variants.of(message, key, () => {
        throw new Error('made twice')
      }),
    ),
  )
  expect(again.map((message, index) => message === made[index])).not.toContain(false)
})
