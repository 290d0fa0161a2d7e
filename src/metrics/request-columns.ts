import { Interned } from './interned.ts'
import type { RequestRecord } from './records.ts'
import { fitsBlock, RequestBlock, ROWS, type SharedFacts } from './request-block.ts'
import {
  isSameJoin,
  isSameKind,
  isSameOutcome,
  type JoinFacts,
  joinFacts,
  type KindFacts,
  kindFacts,
  type OutcomeFacts,
  outcomeFacts,
} from './request-facts.ts'
import { CompactRequests, type RequestList } from './request-list.ts'
import { RequestRow } from './request-row.ts'

/**
 * The requests of a run in a fifth of the memory that a record for each would take: times and counts in typed arrays, and
 * what requests have in common once. Nothing of a record is lost.
 */
export class RequestColumns extends CompactRequests {
  readonly #blocks: RequestBlock[] = []
  readonly #shared: SharedFacts = {
    ids: new Interned<string>(Object.is, (id) => id),
    kinds: new Interned<KindFacts>(isSameKind, kindFacts),
    outcomes: new Interned<OutcomeFacts>(isSameOutcome, outcomeFacts),
    joins: new Interned<JoinFacts>(isSameJoin, joinFacts),
  }
  /** By row, records with something that the columns have no room for: they are kept as they came. */
  readonly #others = new Map<number, RequestRecord>()
  #length = 0

  static of(records: Iterable<RequestRecord>): RequestColumns {
    const columns = new RequestColumns()
    for (const record of records) columns.add(record)
    return columns.settle()
  }

  get length(): number {
    return this.#length
  }

  /**
   * On the path of every request.
   *
   * @returns its row
   */
  add(record: RequestRecord): number {
    const row = this.#length++
    const within = row % ROWS
    if (within === 0) this.#blocks.push(new RequestBlock())
    const block = this.#blocks[this.#blocks.length - 1]
    if (block !== undefined && fitsBlock(record)) block.write(within, record, this.#shared)
    else this.#others.set(row, record)
    return row
  }

  /** Some of them. */
  rows(rows: ArrayLike<number>): RequestList {
    return new SomeOfColumns(this, Uint32Array.from(rows))
  }

  /** To be called when no more are to come: what helped to find what they have in common is let go. */
  settle(): this {
    for (const table of Object.values(this.#shared)) table.settle()
    return this
  }

  /** @returns a view, or the record itself where it is kept as one */
  at(row: number): RequestRecord {
    return (this.#otherAt(row) ?? this.#rowAt(row)) as RequestRecord
  }

  *[Symbol.iterator](): IterableIterator<RequestRecord> {
    for (let row = 0; row < this.#length; row++) yield this.at(row)
  }

  filter(keep: (request: RequestRecord) => boolean): RequestList {
    const rows = new Uint32Array(this.#length)
    let kept = 0
    for (let row = 0; row < this.#length; row++) if (keep(this.at(row))) rows[kept++] = row
    return kept === this.#length ? this : new SomeOfColumns(this, rows.slice(0, kept))
  }

  recordAt(row: number): RequestRecord {
    return this.#otherAt(row) ?? this.#rowAt(row).toRecord()
  }

  protected override makeRecords(): readonly RequestRecord[] {
    return Array.from({ length: this.#length }, (_, row) => this.recordAt(row))
  }

  #otherAt(row: number): RequestRecord | undefined {
    return this.#others.size === 0 ? undefined : this.#others.get(row)
  }

  #rowAt(row: number): RequestRow {
    const within = row % ROWS
    return new RequestRow(this.#blocks[(row - within) / ROWS] as RequestBlock, within, this.#shared)
  }
}

/** Rows of columns, by their numbers. */
class SomeOfColumns extends CompactRequests {
  readonly #columns: RequestColumns
  readonly #rows: Uint32Array

  constructor(columns: RequestColumns, rows: Uint32Array) {
    super()
    this.#columns = columns
    this.#rows = rows
  }

  get length(): number {
    return this.#rows.length
  }

  *[Symbol.iterator](): IterableIterator<RequestRecord> {
    for (const row of this.#rows) yield this.#columns.at(row)
  }

  filter(keep: (request: RequestRecord) => boolean): RequestList {
    const rows = this.#rows.filter((row) => keep(this.#columns.at(row)))
    return rows.length === this.#rows.length ? this : new SomeOfColumns(this.#columns, rows)
  }

  protected override makeRecords(): readonly RequestRecord[] {
    return Array.from(this.#rows, (row) => this.#columns.recordAt(row))
  }
}
