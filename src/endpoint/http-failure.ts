import { STATUS_CODES } from 'node:http'
import { brotliDecompressSync, constants, unzipSync } from 'node:zlib'
import { formatDuration } from '../base/index.ts'
import type { ExchangeError } from './endpoint.ts'
import { errorTextOfBody } from './error-text.ts'
import { readRetryAfter } from './retry-after.ts'

export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>

/** What of an error's body is read; the rest says nothing more. */
export const MAX_ERROR_BODY_BYTES = 64 * 1024
const AS_FAR_AS_IT_GOES = { maxOutputLength: MAX_ERROR_BODY_BYTES }

/** How a body is compressed, in lower case; `'identity'` when it is not. */
export function contentCoding({ 'content-encoding': given }: ResponseHeaders): string {
  const codings = String(given ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
  return codings.length === 0 ? 'identity' : codings.join(', ')
}

/** What the request was, to tell the person what to look at. */
export interface RequestFacts {
  /** Without query. */
  readonly url: string
  readonly basePath: string
  readonly model: string
  readonly sentKey: boolean
  /** The environment variable that would have held the key. */
  readonly keyVariable?: string
}

/** The one message of a response whose status is not a success. */
export function httpFailure(status: number, headers: ResponseHeaders, body: Buffer, facts: RequestFacts): ExchangeError {
  const said = errorTextOfBody(decode(body, contentCoding(headers)))
  const retryAfterMs = readRetryAfter(headers)
  const reason = STATUS_CODES[status]
  const head = `POST ${facts.url} answered ${status}${reason === undefined ? '' : ` ${reason}`}`
  const hint = hintFor(status, said, headers, retryAfterMs, facts)
  return {
    label: `http_${status}`,
    message: `${head}${said === '' ? ' with an empty body' : `: ${said}`}${hint === '' ? '' : `\n${hint}`}`,
    status,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }
}

function hintFor(
  status: number,
  said: string,
  headers: ResponseHeaders,
  retryAfterMs: number | undefined,
  facts: RequestFacts,
): string {
  if (status >= 300 && status < 400) {
    const location = typeof headers.location === 'string' ? ` to ${withoutCredentials(headers.location)}` : ''
    return `It redirects${location}. Redirects are not followed: set \`target.url\` to where the server is.`
  }
  switch (status) {
    case 401:
    case 403:
      if (facts.sentKey) return 'Check `target.apiKey`.'
      return facts.keyVariable === undefined
        ? 'No key was sent: set `target.apiKey`.'
        : `No key was sent: the environment variable ${facts.keyVariable} is not set. Set it, or \`target.apiKey\`.`
    case 404:
    case 405:
      // Not the path of a list of models.
      return /(?<!\/)\bmodels?\b/i.test(said)
        ? `The request asked for model '${facts.model}': set \`target.model\` to one the server has.`
        : `Check the path in \`target.url\`: requests go below '${facts.basePath}'.`
    case 429:
      return retryAfterMs === undefined
        ? ''
        : `It asks to wait ${formatDuration(retryAfterMs)}. Requests are not retried: a retry would hide what is measured.`
    default:
      return ''
  }
}

function withoutCredentials(location: string): string {
  return location.replace(/[?#].*$/s, '').replace(/\/\/[^/@]*@/, '//')
}

function decode(body: Buffer, coding: string): string {
  try {
    switch (coding) {
      case 'identity':
        return body.toString()
      case 'br':
        return brotliDecompressSync(body, { ...AS_FAR_AS_IT_GOES, finishFlush: constants.BROTLI_OPERATION_FLUSH }).toString()
      case 'gzip':
      case 'x-gzip':
      case 'deflate':
        return unzipSync(body, { ...AS_FAR_AS_IT_GOES, finishFlush: constants.Z_SYNC_FLUSH }).toString()
      default:
        // Whatever it is, it is no text.
        return ''
    }
  } catch {
    return ''
  }
}
