import {
  addInterTokenGaps,
  createDigest,
  type Digest,
  type GapsRecord,
  mergeDigests,
  type RequestRecord,
  type StageRecord,
} from '../metrics/index.ts'

/** Each kind is a sketch of its own, which takes memory. */
const MOST_KINDS = 64

type Kind = Omit<GapsRecord, 'digest'>

/** The inter-token gaps of a stage: one sketch for each model, call name and agent. */
export class GapSketches {
  readonly #kinds = new Map<string, { readonly kind: Kind; readonly digest: Digest }>()
  /** Of whatever came when there were too many kinds already. */
  readonly #rest = createDigest()
  #tooMany = false

  add({ model, name, agent }: RequestRecord, outputTimesMs: readonly number[]): void {
    if (outputTimesMs.length < 2) return
    const key = `${model}\n${name}\n${agent ?? ''}`
    let known = this.#kinds.get(key)
    if (known === undefined && this.#kinds.size < MOST_KINDS) {
      known = { kind: { model, name, ...(agent === undefined ? {} : { agent }) }, digest: createDigest() }
      this.#kinds.set(key, known)
    }
    if (known === undefined) this.#tooMany = true
    addInterTokenGaps(known?.digest ?? this.#rest, outputTimesMs)
  }

  toRecord(): Pick<StageRecord, 'interTokenLatency' | 'interTokenLatencyBy'> {
    const kinds = [...this.#kinds.values()].map(({ kind, digest }) => ({ ...kind, digest: digest.toRecord() }))
    const interTokenLatency = mergeDigests([...kinds.map(({ digest }) => digest), this.#rest.toRecord()])
    return { interTokenLatency, ...(kinds.length === 0 || this.#tooMany ? {} : { interTokenLatencyBy: kinds }) }
  }
}
