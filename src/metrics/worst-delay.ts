import type { ClientRecord } from './records.ts'

/** The delays of several event loops cannot be told from their quantiles: the worst of each stand for all. */
export function worstDelay(delays: readonly ClientRecord['eventLoopDelayMs'][]): ClientRecord['eventLoopDelayMs'] {
  const worst = (of: 'p50' | 'p99' | 'max') => Math.max(...delays.map((delay) => delay[of]))
  return { p50: worst('p50'), p99: worst('p99'), max: worst('max') }
}
