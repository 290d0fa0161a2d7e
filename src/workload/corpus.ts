import { createHash } from 'node:crypto'
import { drawInteger, type Random, seededRandom, TraceReplayError } from '../base/index.ts'
import type { ReplayGraph } from '../graph/index.ts'
import { sessionHash } from './session-hash.ts'
import type { Workload, WorkloadContext } from './workload.ts'

/** A session as it is replayed: `x` the first time, `x#2`, `x#3`, … when the workload is repeated. */
export interface DrawnSession {
  readonly id: string
  readonly recordedId: string
  /** As recorded: all sessions drawn of one recording share it. */
  readonly graph: ReplayGraph
  /** To stand at the head of all that the session says, so that a server's prefix cache knows it apart; `''` for none. */
  readonly marker: string
}

const HASH_HEX_DIGITS = 32

/** Which drawn sessions get a marker of their own, so that the server's prefix cache cannot know them. */
export type IsolateCache = 'duplicates' | 'all' | 'none'

/** In what order, and how often, a corpus yields the sessions of its workload. */
export interface CorpusOrder {
  /** A pass repeats the workload until it has this many sessions, or ends within a repetition; `null`: each once. */
  readonly duplicateTo?: number | null
  /** `null`: the workload's order. */
  readonly shuffleSeed?: number | null
  /**
   * Sets the sessions of this corpus apart, in a prefix cache, from those of another one over the same workload; `''` for
   * none.
   */
  readonly marker?: string
}

/**
 * Draws sessions from a workload, pass after pass. Lazy, unless it is to be shuffled: a session is read when it is drawn.
 */
export class Corpus {
  readonly #workload: Workload
  readonly #context: WorkloadContext
  readonly #isolate: IsolateCache
  readonly #marker: string
  readonly #duplicateTo: number | null
  readonly #shuffleSeed: number | null
  #hash = 0n
  #pass = 0
  #iterator: AsyncIterator<ReplayGraph> | undefined
  #drawnInPass = 0
  /** Of a pass that `duplicateTo` stretches over several repetitions. */
  #drawnInRound = 0
  #size: number | undefined
  /** Recorded ids that could be those of repetitions. */
  readonly #numbered = new Set<string>()
  readonly #returned: DrawnSession[] = []

  constructor(workload: Workload, context: WorkloadContext, isolate: IsolateCache, order: CorpusOrder = {}) {
    this.#marker = order.marker ?? ''
    this.#duplicateTo = order.duplicateTo ?? null
    this.#shuffleSeed = order.shuffleSeed ?? null
    this.#workload = workload
    this.#context = context
    this.#isolate = isolate
  }

  /** Recorded sessions of the workload; `undefined` until it has been read to its end. */
  get size(): number | undefined {
    return this.#size
  }

  /** Sessions in one pass; `undefined` until that is known. */
  get sessionsInPass(): number | undefined {
    return this.#duplicateTo ?? this.#size
  }

  /** Sessions of the pass that were not drawn yet; `undefined` until that is known. */
  get leftInPass(): number | undefined {
    if (this.#duplicateTo !== null) return this.#returned.length + this.#duplicateTo - this.#drawnInRound
    return this.#size === undefined ? undefined : this.#returned.length + this.#size - this.#drawnInPass
  }

  /** Recorded sessions seen so far. */
  get recordedSessions(): number {
    return this.#size ?? this.#drawnInPass
  }

  /** How often the workload has been begun: 1 during the first pass. */
  get passes(): number {
    return this.#pass
  }

  /**
   * Over the ids and contents of the recorded sessions drawn so far; repetitions do not change it. A sum, so that the parts
   * of a workload that is spread over threads or machines add up to the whole.
   */
  hash(): string {
    return this.#hash.toString(16).padStart(HASH_HEX_DIGITS, '0')
  }

  /**
   * The next session.
   *
   * @returns `undefined` at the end of the current pass when `repeat` is false
   * @throws {TraceReplayError} `EMPTY_WORKLOAD` when a whole pass holds no session; whatever the workload throws
   */
  async draw({ repeat }: { readonly repeat: boolean }): Promise<DrawnSession | undefined> {
    const returned = this.#returned.shift()
    if (returned !== undefined) return returned
    if (this.#drawnInRound === this.#duplicateTo) {
      this.#drawnInRound = 0
      if (!repeat) return undefined
    }
    for (;;) {
      this.#iterator ??= this.#openPass()
      const { value: graph, done } = await this.#iterator.next()
      if (done !== true) {
        this.#drawnInPass++
        this.#drawnInRound++
        return this.#present(graph)
      }
      this.#size ??= this.#drawnInPass
      this.#iterator = undefined
      if (this.#size === 0) throw this.#empty()
      if (!repeat && this.#duplicateTo === null) return undefined
    }
  }

  /** Gives back sessions that were drawn and not replayed; the next draws yield them first. */
  putBack(sessions: readonly DrawnSession[]): void {
    this.#returned.unshift(...sessions)
  }

  async close(): Promise<void> {
    await this.#iterator?.return?.()
    this.#iterator = undefined
  }

  #openPass(): AsyncIterator<ReplayGraph> {
    this.#pass++
    this.#drawnInPass = 0
    // What is wrong with a trace was said in the first pass.
    const context = this.#pass === 1 ? this.#context : { ...this.#context, warn: () => {} }
    const sessions = this.#workload.open(context)
    const ordered = this.#shuffleSeed === null ? sessions : shuffled(sessions, seededRandom(this.#shuffleSeed, this.#pass))
    return ordered[Symbol.asyncIterator]()
  }

  #present(graph: ReplayGraph): DrawnSession {
    const recordedId = graph.session.id
    if (this.#pass === 1 && recordedId.includes('#')) this.#numbered.add(recordedId)
    const id = this.#idOf(recordedId)
    if (this.#pass === 1) this.#hash = BigInt.asUintN(HASH_HEX_DIGITS * 4, this.#hash + numberOf(`${id}\n${sessionHash(graph)}`))
    const isolated = this.#isolate === 'all' || (this.#isolate === 'duplicates' && this.#pass > 1)
    if (!isolated && this.#marker === '') return { id, recordedId, graph, marker: '' }
    // With the marker alone sessions share what they begin with, as recorded, among each other and with no other corpus.
    const label = isolated ? `${this.#marker} ${id}`.trim() : this.#marker
    return { id, recordedId, graph, marker: `[${label}]\n` }
  }

  #idOf(recordedId: string): string {
    if (this.#pass === 1) return recordedId
    let id = `${recordedId}#${this.#pass}`
    // Sessions that were recorded during a replay may be called so.
    while (this.#numbered.has(id)) id += '#'
    return id
  }

  #empty(): TraceReplayError {
    return new TraceReplayError(
      'EMPTY_WORKLOAD',
      `The workload '${this.#workload.name}' holds no session to replay. Check its files, its filter and, with onInvalidTrace: 'skip', the warnings about what was skipped.`,
    )
  }
}

function numberOf(text: string): bigint {
  return BigInt(`0x${createHash('sha256').update(text).digest('hex').slice(0, HASH_HEX_DIGITS)}`)
}

/** Fisher and Yates. Reads all of it first. */
async function* shuffled(sessions: AsyncIterable<ReplayGraph>, random: Random): AsyncGenerator<ReplayGraph> {
  const left: ReplayGraph[] = []
  for await (const session of sessions) left.push(session)
  while (left.length > 0) {
    const place = drawInteger(random, 0, left.length - 1)
    const session = left[place]
    const last = left.pop()
    if (session === undefined || last === undefined) return
    if (place < left.length) left[place] = last
    yield session
  }
}
