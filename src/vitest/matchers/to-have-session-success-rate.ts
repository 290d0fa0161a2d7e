import { checkRate } from './check-rate.ts'
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
      checkRate(rate, matcher)
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
