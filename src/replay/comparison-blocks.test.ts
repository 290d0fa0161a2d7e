import { expect, test } from 'vitest'
import { comparisonBlocks } from './comparison-blocks.ts'

test.each([
  [100, 10, [25, 25, 25, 25]],
  [100, 20, [50, 50]],
  [100, 1, [12, 13, 12, 13, 12, 13, 12, 13]],
  [40, 20, [20, 20]],
  [39, 20, [39]],
  [1, 1, [1]],
  [100, Number.POSITIVE_INFINITY, [100]],
])('%d sessions, %d at once', (sessions, concurrent, sizes) => {
  const blocks = comparisonBlocks(sessions, concurrent)
  expect(blocks.map((block) => block.sessions)).toEqual(sizes)
  expect(blocks.map(({ first }) => first)).toEqual(sizes.map((_, index) => (index % 2 === 0 ? 'base' : 'head')))
})
