import { type Digest, mergeDigests } from './digest.ts'
import type { Distribution } from './distribution.ts'
import type { DigestRecord } from './records.ts'
import type { RequestList } from './request-list.ts'
import { SketchedDistribution } from './sketched-distribution.ts'

/**
 * ITL: the gaps between successive output chunks. Tokens that share a chunk share its time, so a response has one gap fewer
 * than it has chunks.
 *
 * @param outputTimesMs arrival of each chunk that carried output, of a request that succeeded
 */
export function addInterTokenGaps(digest: Digest, outputTimesMs: readonly number[]): void {
  // Hot path: runs over every chunk received.
  for (let i = 1; i < outputTimesMs.length; i++) digest.add((outputTimesMs[i] ?? 0) - (outputTimesMs[i - 1] ?? 0))
}

/**
 * ITL over the gaps of all successful requests. A request that did not succeed adds as many infinite gaps as it should have
 * had: its planned output tokens − 1, or, where the recording does not say, the mean number of gaps of the successful; one
 * at least.
 */
export function interTokenLatency(digests: readonly DigestRecord[], requests: RequestList): Distribution {
  const digest = mergeDigests(digests)
  const succeeded = requests.reduce((count, { state }) => (state === 'succeeded' ? count + 1 : count), 0)
  const meanGaps = succeeded === 0 ? 1 : digest.count / succeeded
  let infinite = 0
  for (const { state, plannedOutputTokens } of requests) {
    if (state === 'succeeded') continue
    const gaps = plannedOutputTokens === null ? meanGaps : plannedOutputTokens - 1
    infinite += Math.max(1, Math.round(gaps))
  }
  return new SketchedDistribution(digest, infinite)
}
