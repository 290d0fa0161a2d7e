import { formatDuration } from '../../base/index.ts'
import { ExactDistribution, type Over, type RequestList } from '../../metrics/index.ts'
import { formatCount, type Section } from '../../report/index.ts'
import type { LatencyLimit } from './latency-limits.ts'
import type { LatencyMetric } from './latency-matcher.ts'

const MOST_CALLS = 3

/** The calls, by name, for which a figure of requests is worst. Nothing where all have one name. */
export function slowestCalls(
  { name: metricName, ofRequest }: LatencyMetric,
  requests: RequestList,
  limit: LatencyLimit,
  over: Over,
): Section[] {
  const samples = new Map<string, number[]>()
  for (const request of requests) {
    const value = request.state === 'succeeded' ? ofRequest?.(request) : Number.POSITIVE_INFINITY
    if (value === undefined) continue
    const known = samples.get(request.name)
    if (known === undefined) samples.set(request.name, [value])
    else known.push(value)
  }
  if (samples.size < 2) return []
  const calls = [...samples].flatMap(([name, values]) => {
    const distribution = new ExactDistribution(values)
    const figure = limit.read(distribution, over)
    return figure === undefined ? [] : [{ name, figure, count: distribution.count }]
  })
  const lines = calls
    .sort((a, b) => (a.figure === b.figure ? 0 : b.figure - a.figure))
    .slice(0, MOST_CALLS)
    .map(
      ({ name, figure, count }) =>
        `'${name}': ${formatDuration(figure)} over ${formatCount(count)} ${count === 1 ? 'request' : 'requests'}`,
    )
  return [{ title: `Calls with the highest ${metricName} ${limit.name}`, lines }]
}
