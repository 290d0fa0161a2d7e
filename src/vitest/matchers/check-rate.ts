import { inspect } from 'node:util'
import { TraceReplayError } from '../../base/index.ts'

/**
 * @param what completes the sentence "… takes a rate above 0": `'toHaveGoodput'`
 * @throws {TraceReplayError} `INVALID_OPTION` unless 0 < rate ≤ 1
 */
export function checkRate(rate: unknown, what: string): asserts rate is number {
  if (typeof rate === 'number' && rate > 0 && rate <= 1) return
  const meant = typeof rate === 'number' && rate > 1 && rate <= 100 ? ` Did you mean ${rate / 100}?` : ''
  throw new TraceReplayError('INVALID_OPTION', `${what} takes a rate above 0, up to 1, not ${inspect(rate)}.${meant}`)
}
