import type { Measured } from './measured.ts'
import type { RunRecord } from './records.ts'

/** Whether figures can carry a verdict, and if not, why. */
export type Gradable = { readonly ok: true } | { readonly ok: false; readonly reason: string }

export function gradable(measured: Measured, record: RunRecord): Gradable {
  const reason = reasonAgainst(measured, record)
  return reason === undefined ? { ok: true } : { ok: false, reason }
}

function reasonAgainst({ sessions, requests }: Measured, { aborted }: RunRecord): string | undefined {
  if (aborted !== undefined) return `the run was aborted: ${aborted}`
  if (sessions.length === 0) return 'no session ran'
  if (requests.every((request) => request.sentMs === null)) return 'no request was sent'
  return undefined
}
