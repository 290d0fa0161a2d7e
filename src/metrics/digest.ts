import { TDigest } from 'tdigest'
import type { DigestRecord } from './records.ts'

/** The record of a sketch without a sample. */
export const EMPTY_DIGEST: DigestRecord = { count: 0, min: null, max: null, centroids: [] }

/** Up to so many distinct values nothing is merged; beyond, as many centroids start a compression, which leaves about 1,000. */
const MOST_CENTROIDS = 2_500
/** The share of all samples that one centroid near the median may stand for; towards the tails it shrinks to one sample. */
const COMPRESSION = 0.01
/** Growth in samples after which the package counts its ranks anew. At its default, 1.1, small sketches have blurred tails. */
const RECOUNT_GROWTH = 1.02
/** Samples held back and sorted before they meet the sketch. */
const BATCH = 8_192
/** How much finer a batch is grouped than the sketch itself, so that grouping costs no accuracy. */
const BATCH_FINENESS = 2

/**
 * Sketch of very many samples: a t-digest, filled once per output chunk and merged across stages, threads and shards. The
 * same samples in the same order give the same sketch.
 *
 * @example
 * const digest = createDigest()
 * for (const gapMs of gapsMs) digest.add(gapMs)
 * const record = digest.toRecord()
 */
export class Digest {
  #tree = new TDigest(false)
  #batch: Float64Array | undefined
  #batched = 0
  #count = 0
  #min = Number.POSITIVE_INFINITY
  #max = Number.NEGATIVE_INFINITY

  /** Takes one sample. On the hot path of every stream: a store, and now and then the work for a batch. */
  add(value: number): void {
    if (!Number.isFinite(value)) throw new RangeError(`${value} is not a sample`)
    this.#batch ??= new Float64Array(BATCH)
    this.#batch[this.#batched++] = value
    if (this.#batched === BATCH) this.#flush()
  }

  /** Takes in all samples of another sketch. */
  merge({ count, min, max, centroids }: DigestRecord): void {
    if (count === 0) return
    this.#flush()
    this.#count += count
    this.#min = Math.min(this.#min, min ?? Number.POSITIVE_INFINITY)
    this.#max = Math.max(this.#max, max ?? Number.NEGATIVE_INFINITY)
    this.#insert(centroids)
  }

  toRecord(): DigestRecord {
    this.#flush()
    if (this.#count === 0) return EMPTY_DIGEST
    return {
      count: this.#count,
      min: this.#min,
      max: this.#max,
      centroids: this.#centroids(),
    }
  }

  #flush(): void {
    if (this.#batch === undefined || this.#batched === 0) return
    const sorted = this.#batch.subarray(0, this.#batched).sort()
    this.#batched = 0
    this.#count += sorted.length
    this.#min = Math.min(this.#min, sorted[0] ?? Number.POSITIVE_INFINITY)
    this.#max = Math.max(this.#max, sorted[sorted.length - 1] ?? Number.NEGATIVE_INFINITY)
    const fits = this.#tree.size() + countDistinct(sorted) <= MOST_CENTROIDS
    this.#insert(fits ? groupEqual(sorted) : groupNeighbours(sorted))
  }

  #insert(points: readonly Point[]): void {
    insertScattered(this.#tree, points)
    if (this.#tree.size() <= MOST_CENTROIDS) return
    const centroids = this.#centroids()
    // The package's own compression draws from `Math.random`; 0 keeps it from ever starting one.
    this.#tree = new TDigest(COMPRESSION, 0, RECOUNT_GROWTH)
    insertScattered(this.#tree, centroids)
  }

  #centroids(): Point[] {
    return this.#tree.toArray().map(({ mean, n }) => [mean, n])
  }
}

/** A new, empty sketch. */
export function createDigest(): Digest {
  return new Digest()
}

/** One sketch of all the samples in several. */
export function mergeDigests(records: readonly DigestRecord[]): DigestRecord {
  const [only] = records
  if (only !== undefined && records.length === 1) return only
  const digest = new Digest()
  for (const record of records) digest.merge(record)
  return digest.toRecord()
}

/** The most samples that the t-digest lets one centroid gather around this rank; only equal samples go beyond it. */
export function centroidLimit(rank: number, count: number): number {
  const share = rank / count
  return 4 * count * COMPRESSION * share * (1 - share)
}

type Point = readonly [mean: number, weight: number]

/**
 * Sorted samples → weighted points, by the t-digest's own rule: many samples a point near the median, single ones at the
 * tails. A point costs the sketch what a sample does, and there are ten times fewer of them. A value that repeats beyond that
 * is a point by itself: chunks that arrive in one read have gaps of exactly 0, and those must not blur into their neighbours.
 */
function groupNeighbours(sorted: Float64Array): Point[] {
  const points: Point[] = []
  const count = sorted.length
  for (let start = 0; start < count; ) {
    const most = Math.max(1, Math.floor(centroidLimit(start + 0.5, count) / BATCH_FINENESS))
    const equal = equalFrom(sorted, start)
    const length = equal >= most ? equal : Math.min(most, count - start)
    let mean = sorted[start] ?? 0
    if (length > equal) {
      let sum = 0
      for (let i = start; i < start + length; i++) sum += sorted[i] ?? 0
      mean = sum / length
    }
    points.push([mean, length])
    start += length
  }
  return points
}

function groupEqual(sorted: Float64Array): Point[] {
  const points: Point[] = []
  for (let start = 0; start < sorted.length; ) {
    const equal = equalFrom(sorted, start)
    points.push([sorted[start] ?? 0, equal])
    start += equal
  }
  return points
}

function countDistinct(sorted: Float64Array): number {
  let count = 0
  for (let i = 0; i < sorted.length; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) count++
  return count
}

/** How many samples from `start` on are one and the same. */
function equalFrom(sorted: Float64Array, start: number): number {
  let end = start + 1
  while (end < sorted.length && sorted[end] === sorted[start]) end++
  return end - start
}

/**
 * A t-digest fed in rising order merges nothing. Golden-ratio steps through the order scatter the points as well as chance
 * would, and always alike.
 */
function insertScattered(tree: TDigest, points: readonly Point[]): void {
  const { length } = points
  const step = coprimeStep(length)
  for (let i = 0, at = 0; i < length; i++, at = (at + step) % length) {
    const point = points[at]
    if (point !== undefined) tree.push(point[0], point[1])
  }
}

/** The step nearest to length ÷ golden ratio that visits every index before it repeats one. */
function coprimeStep(length: number): number {
  let step = Math.max(1, Math.round(length * 0.618_033_988_75))
  while (step > 1 && greatestCommonDivisor(step, length) !== 1) step--
  return step
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}
