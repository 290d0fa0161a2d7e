import { inspect } from 'node:util'
import { TraceReplayError } from '../../base/index.ts'
import { judge, type MatcherResult, type ReplayMatcher } from './judge.ts'

export interface SessionSuccessRateMatcher<Result> {
  /**
   * Holds the share of sessions that succeeded, all their calls with them, to a floor: a rate above 0, up to 1.
   *
   * @example
   * expect(run).toHaveSessionSuccessRate(0.99)
   */
  toHaveSessionSuccessRate(rate: number): Result
}

const matcher = 'toHaveSessionSuccessRate'

export const toHaveSessionSuccessRate: ReplayMatcher<[rate: number]> = function successRate(received, rate): MatcherResult {
  return judge(this, received, {
    matcher,
    argument: String(rate),
    self: successRate,
    figures(measured) {
      checkRate(rate)
      return [
        {
          label: 'session success rate',
          observed: measured.sessionSuccessRate,
          limit: rate,
          unit: 'rate',
          direction: 'floor',
          samples: measured.sessionCounts.total,
          sampled: 'sessions',
        },
      ]
    },
  })
}

function checkRate(rate: unknown): void {
  if (typeof rate === 'number' && rate > 0 && rate <= 1) return
  const meant = typeof rate === 'number' && rate > 1 && rate <= 100 ? ` Did you mean ${rate / 100}?` : ''
  throw new TraceReplayError('INVALID_OPTION', `${matcher} takes a rate above 0, up to 1, not ${inspect(rate)}.${meant}`)
}
