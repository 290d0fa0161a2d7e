import { Digest } from './digest.ts'
import { type Distribution, ExactDistribution } from './distribution.ts'
import type { DigestRecord, RequestRecord } from './records.ts'

export function interTokenLatency(digests: readonly DigestRecord[], _requests: readonly RequestRecord[]): Distribution {
  const digest = new Digest()
  for (const record of digests) digest.merge(record)
  return new ExactDistribution([])
}
