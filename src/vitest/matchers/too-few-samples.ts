import { enoughSamples, requiredSamples } from '../../metrics/index.ts'
import type { DistributionFigure } from './latency-limits.ts'

const ONE = { sessions: 'session', requests: 'request', gaps: 'gap between chunks' }
const MANY = { sessions: 'sessions', requests: 'requests', gaps: 'gaps between chunks' }

/** The warning on a percentile that rests on fewer samples than it takes; `undefined` when there are enough. */
export function tooFew(
  { name, quantile }: DistributionFigure,
  samples: number,
  sampled: 'sessions' | 'requests' | 'gaps',
  worst = 'slowest',
): string | undefined {
  if (quantile === undefined || samples === 0 || enoughSamples(quantile, samples)) return undefined
  const found = samples === 1 ? `1 ${ONE[sampled]}` : `${samples} ${MANY[sampled]}`
  return `${name} of ${found} says little more than the ${worst} does: it takes ${requiredSamples(quantile)}.`
}
