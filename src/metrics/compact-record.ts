import { inspect } from 'node:util'
import type { RunRecord } from './records.ts'
import { CompactRequests, type RequestList } from './request-list.ts'

type Rest = Omit<RunRecord, 'requests'>

const parts = new WeakMap<RunRecord, { readonly rest: Rest; readonly requests: RequestList }>()

/**
 * A record of requests that are kept in another form. To its readers it is plain JSON: `requests` is an array like any
 * other, made when it is asked for and not kept.
 */
export function compactRecord(rest: Rest, requests: RequestList): RunRecord {
  if (!(requests instanceof CompactRequests)) return { ...rest, requests: [...requests] }
  const record: RunRecord = {
    ...rest,
    get requests() {
      return requests.toArray()
    },
  }
  // `console.log` shows what is there, not that it has to be made.
  Object.defineProperty(record, inspect.custom, { value: () => ({ ...record }) })
  parts.set(record, { rest, requests })
  return record
}

/** The requests of a record, in the form it has them. */
export function requestsOf(record: RunRecord): RequestList {
  return parts.get(record)?.requests ?? record.requests
}

/** All of a record but its requests. */
export function restOf(record: RunRecord): Rest {
  const known = parts.get(record)
  if (known !== undefined) return known.rest
  const { requests: _, ...rest } = record
  return rest
}
