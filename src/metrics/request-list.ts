import type { RequestRecord } from './records.ts'

/**
 * Requests in order, to be gone through. An array of records is one. Another need not hold a record for each: what it hands
 * out may be a view, whose fields can be read, but which cannot be spread or compared as a whole.
 */
export interface RequestList extends Iterable<RequestRecord> {
  readonly length: number
  filter(keep: (request: RequestRecord) => boolean): RequestList
  map<Value>(of: (request: RequestRecord) => Value): Value[]
  flatMap<Value>(of: (request: RequestRecord) => Value | readonly Value[]): Value[]
  some(is: (request: RequestRecord) => boolean): boolean
  every(is: (request: RequestRecord) => boolean): boolean
  reduce<Value>(add: (sum: Value, request: RequestRecord) => Value, first: Value): Value
}

/** Requests kept in another form than as one record each. */
export abstract class CompactRequests implements RequestList {
  #array: WeakRef<readonly RequestRecord[]> | undefined

  abstract readonly length: number
  /** Views of the requests. */
  abstract [Symbol.iterator](): IterableIterator<RequestRecord>
  abstract filter(keep: (request: RequestRecord) => boolean): RequestList
  protected abstract makeRecords(): readonly RequestRecord[]

  /** Plain records. Whoever holds the array keeps it alive, nobody else; until it is gone, it is not made again. */
  toArray(): readonly RequestRecord[] {
    const known = this.#array?.deref()
    if (known !== undefined && known.length === this.length) return known
    const array = this.makeRecords()
    this.#array = new WeakRef(array)
    return array
  }

  /** As JSON it is an array like any other. */
  toJSON(): readonly RequestRecord[] {
    return this.makeRecords()
  }

  map<Value>(of: (request: RequestRecord) => Value): Value[] {
    const values: Value[] = []
    for (const request of this) values.push(of(request))
    return values
  }

  flatMap<Value>(of: (request: RequestRecord) => Value | readonly Value[]): Value[] {
    const values: Value[] = []
    for (const request of this) {
      const value = of(request)
      if (Array.isArray(value)) values.push(...value)
      else values.push(value as Value)
    }
    return values
  }

  some(is: (request: RequestRecord) => boolean): boolean {
    for (const request of this) if (is(request)) return true
    return false
  }

  every(is: (request: RequestRecord) => boolean): boolean {
    return !this.some((request) => !is(request))
  }

  reduce<Value>(add: (sum: Value, request: RequestRecord) => Value, first: Value): Value {
    let sum = first
    for (const request of this) sum = add(sum, request)
    return sum
  }
}

/** Plain records, of whichever list. */
export function recordsOf(requests: RequestList): readonly RequestRecord[] {
  if (requests instanceof CompactRequests) return requests.toArray()
  return Array.isArray(requests) ? requests : Array.from(requests)
}
