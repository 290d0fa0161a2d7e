import type { Dispatcher } from 'undici'
import type { HubFailureReason } from './hub-failure.ts'

const LONGEST_REFUSAL_BYTES = 64 * 1024
const LONGEST_MESSAGE = 300

type WithHeaders = Pick<Dispatcher.ResponseData, 'headers'>

export function responseHeader({ headers }: WithHeaders, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** Lets go of an answer that is not wanted. A body that is destroyed early reports that as an error of its own. */
export function discard({ body }: { readonly body: Dispatcher.ResponseData['body'] }): void {
  body.on('error', () => {}).destroy()
}

/**
 * What an answer with an error status says.
 *
 * @param secret taken out of the text, should the server echo it
 */
export async function readRefusal(
  response: WithHeaders & { readonly status: number; readonly body: Dispatcher.ResponseData['body'] },
  secret: string | undefined,
): Promise<HubFailureReason> {
  const text = (await readStart(response.body)) ?? ''
  const message = responseHeader(response, 'x-error-message') ?? messageIn(text)
  return {
    kind: 'status',
    status: response.status,
    code: responseHeader(response, 'x-error-code') ?? '',
    message: scrubbed(message, secret).replace(/\s+/g, ' ').trim().slice(0, LONGEST_MESSAGE),
    retryAfterMs: retryAfterMs(response),
  }
}

function scrubbed(text: string, secret: string | undefined): string {
  return secret === undefined ? text : text.replaceAll(secret, '***')
}

async function readStart(body: Dispatcher.ResponseData['body']): Promise<string | undefined> {
  const pieces: Buffer[] = []
  let size = 0
  try {
    for await (const piece of body) {
      pieces.push(piece)
      size += piece.length
      if (size > LONGEST_REFUSAL_BYTES) break
    }
  } catch {
    // The status says enough.
  }
  return Buffer.concat(pieces).toString()
}

/** Pages of HTML are for browsers. */
function messageIn(text: string): string {
  try {
    const { error, message } = JSON.parse(text) as { error?: unknown; message?: unknown }
    return typeof error === 'string' ? error : typeof message === 'string' ? message : ''
  } catch {
    return text.length <= LONGEST_MESSAGE && !text.includes('<') ? text : ''
  }
}

/** `retry-after` in seconds or as a date; the hub's newer `ratelimit: "api";r=0;t=55` counts the seconds too. */
function retryAfterMs(response: WithHeaders): number | undefined {
  const value = responseHeader(response, 'retry-after')
  if (value !== undefined && /^\s*\d+\s*$/.test(value)) return Number(value) * 1_000
  const untilMs = value === undefined ? Number.NaN : Date.parse(value)
  if (!Number.isNaN(untilMs)) {
    const sentMs = Date.parse(responseHeader(response, 'date') ?? '')
    return Math.max(0, untilMs - (Number.isNaN(sentMs) ? Date.now() : sentMs))
  }
  const left = /;\s*r=0\s*;\s*t=(\d+)/.exec(responseHeader(response, 'ratelimit') ?? '')?.[1]
  return left === undefined ? undefined : Number(left) * 1_000
}
