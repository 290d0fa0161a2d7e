/** Sessions of one block, which one side replays and then the other. */
export interface ComparisonBlock {
  readonly sessions: number
  readonly first: 'base' | 'head'
}

const MOST_BLOCKS = 8

/**
 * Cuts a stage into blocks that the two sides replay in turn: base, head, head, base, … What drifts evenly over the whole
 * time (a machine that warms up, a neighbour that grows busy) then weighs as much on the one as on the other. A block is
 * long enough to fill the stage's concurrency twice, where there are sessions enough, for it begins and ends with less.
 *
 * @param concurrentSessions `Infinity` for no limit: the whole stage is then one block
 */
export function comparisonBlocks(sessions: number, concurrentSessions: number): ComparisonBlock[] {
  const full = Math.floor(sessions / (2 * concurrentSessions))
  const atLeast = sessions >= 2 * concurrentSessions ? 2 : 1
  // An even number, so that each side is first as often as the other.
  const count = Math.max(atLeast, Math.min(MOST_BLOCKS, full - (full % 2)))
  return Array.from({ length: count }, (_, index) => ({
    sessions: Math.floor(((index + 1) * sessions) / count) - Math.floor((index * sessions) / count),
    first: index % 2 === 0 ? 'base' : 'head',
  }))
}
