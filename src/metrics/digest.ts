import type { DigestRecord } from './records.ts'

export const EMPTY_DIGEST: DigestRecord = { count: 0, min: null, max: null, centroids: [] }

/** Sketch of very many samples: a t-digest, filled per output chunk and merged across stages, threads and shards. */
export class Digest {
  /** Takes one finite sample. */
  add(_value: number): void {
    throw new Error('not yet')
  }

  /** Takes all samples of another sketch. */
  merge(_record: DigestRecord): void {
    throw new Error('not yet')
  }

  /** `undefined` while empty. */
  quantile(_q: number): number | undefined {
    return undefined
  }

  toRecord(): DigestRecord {
    return EMPTY_DIGEST
  }
}
