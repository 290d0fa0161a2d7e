import { formatDuration, TraceReplayError } from '../../base/index.ts'

/** Why a request came to nothing. */
export type HubFailureReason =
  | {
      readonly kind: 'status'
      readonly status: number
      /** What the hub calls it: `RepoNotFound`, `RevisionNotFound`, `EntryNotFound`, `GatedRepo`; `''` when it says nothing. */
      readonly code: string
      /** Its own words, without secrets; `''` when it has none. */
      readonly message: string
      readonly retryAfterMs: number | undefined
    }
  | { readonly kind: 'connection'; readonly code: string; readonly message: string }
  /** An answer that does not add up. */
  | { readonly kind: 'answer'; readonly message: string }

/** A failed exchange with the hub or a storage, before it is put into the words of who asked. */
export class HubFailure extends Error {
  override readonly name = 'HubFailure'
  readonly reason: HubFailureReason
  /** Without query or credentials: signed addresses are keys. */
  readonly url: string
  /** How often the request was made. */
  attempts = 1

  constructor(url: string, reason: HubFailureReason) {
    super(`${reason.kind} ${'code' in reason ? reason.code : ''}`)
    this.url = shownUrl(url)
    this.reason = reason
  }

  /** Whether the same request may succeed a little later. */
  get passing(): boolean {
    const { reason } = this
    if (reason.kind === 'status') return PASSING_STATUS.has(reason.status)
    return reason.kind === 'connection' && !LASTING_CODES.has(reason.code)
  }
}

const PASSING_STATUS = new Set([408, 425, 429, 500, 502, 503, 504])
const LASTING_CODES = new Set(['ENOTFOUND', 'CERT_HAS_EXPIRED', 'SELF_SIGNED_CERT_IN_CHAIN', 'DEPTH_ZERO_SELF_SIGNED_CERT'])

/** An address as it may stand in an error. */
export function shownUrl(url: string): string {
  try {
    const { origin, pathname } = new URL(url)
    return `${origin}${pathname}`
  } catch {
    return '(not a URL)'
  }
}

/** What a failure is about, for its message. */
export interface HubSubject {
  /** What was to be done, as it follows on "Cannot": `read the data set 'a/b'`. */
  readonly doing: string
  readonly hasToken: boolean
}

/** The failure in words for everything that needs no knowledge of what was asked for. */
export function describeFailure(failure: HubFailure, { doing, hasToken }: HubSubject): TraceReplayError {
  const tries = failure.attempts > 1 ? `, tried ${failure.attempts} times` : ''
  return new TraceReplayError('HUB', `Cannot ${doing}: ${explain(failure, hasToken)} (${failure.url}${tries})`, {
    cause: failure,
  })
}

function explain({ reason, url }: HubFailure, hasToken: boolean): string {
  switch (reason.kind) {
    case 'connection':
      return `${connectionText(reason.code, new URL(url).host)} ${reason.code === 'ENOTFOUND' ? 'Check the network, `hubUrl` and HF_ENDPOINT.' : 'Try again; what was fetched is kept.'}`
    case 'answer':
      return reason.message
    case 'status':
      return statusText(reason, hasToken)
  }
}

function connectionText(code: string, host: string): string {
  switch (code) {
    case 'ECONNREFUSED':
      return `${host} refuses connections.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the name ${host} cannot be resolved.`
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
      return `no connection to ${host}: it did not answer in time.`
    case 'UND_ERR_HEADERS_TIMEOUT':
      return `${host} took the request and did not answer in time.`
    case 'UND_ERR_BODY_TIMEOUT':
      return `${host} stopped sending in the middle of its answer.`
    case 'UND_ERR_SOCKET':
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
    case 'ECONNRESET':
      return `${host} closed the connection in the middle of its answer.`
    default:
      return `no exchange with ${host} (${code}).`
  }
}

function statusText(reason: Extract<HubFailureReason, { kind: 'status' }>, hasToken: boolean): string {
  const { status, message, retryAfterMs } = reason
  const said = message === '' ? '' : ` It says: ${message}`
  if (status === 429) {
    const when = retryAfterMs === undefined ? 'Try again later' : `It asks to wait ${formatDuration(retryAfterMs)}`
    const hint = hasToken ? '' : '; with an access token (HF_TOKEN) its limits are higher'
    return `the hub answers too many requests (429). ${when}${hint}.`
  }
  if (status === 401 || status === 403) return `${accessText(status, hasToken)}${said}`
  return `the hub answers ${status}.${said}`
}

function accessText(status: number, hasToken: boolean): string {
  if (!hasToken) return `the hub asks for an access token (${status}). Set HF_TOKEN or \`token\`.`
  return status === 401
    ? 'the hub does not know the access token (401). It may have expired; create another at /settings/tokens.'
    : 'the access token does not allow this (403). Give it the right permissions at /settings/tokens.'
}
