import type { IncomingMessage } from 'node:http'
import type { Answer, Fault } from './faults.fixture.ts'
import { type Repositories, sha256 } from './repositories.fixture.ts'

/** A store of objects by hash, as hubs redirect to. Like a real one it refuses whoever shows it a token besides the signature. */
export function answerStorage(
  repositories: Repositories,
  request: IncomingMessage,
  body: Buffer,
  fault: Fault | undefined,
): Answer {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://storage')
  const hash = pathname.replace('/objects/', '')
  if (request.headers.authorization !== undefined) return { status: 400, body: '<Error>Only one auth mechanism allowed</Error>' }
  if (!searchParams.has('X-Amz-Signature')) return { status: 403, body: '<Error>AccessDenied</Error>' }
  if (request.method === 'PUT') {
    if (sha256(body) !== hash) return { status: 400, body: '<Error>XAmzContentSHA256Mismatch</Error>' }
    repositories.objects.set(hash, body)
    return { status: 200, headers: { etag: `"${hash.slice(0, 32)}"` } }
  }
  const object = repositories.objects.get(hash)
  if (object === undefined) return { status: 404, body: '<Error>NoSuchKey</Error>' }
  return ranged(request, object, { etag: `"${hash.slice(0, 32)}"`, 'accept-ranges': 'bytes' }, fault)
}

/** The whole, or the part that was asked for. */
export function ranged(
  request: IncomingMessage,
  bytes: Buffer,
  headers: Record<string, string>,
  fault: Fault | undefined,
): Answer {
  const { range, 'if-range': ifRange } = request.headers
  const match = /^bytes=(\d+)-(\d*)$/.exec(range ?? '')
  if (match === null || ignoresRange(fault) || (ifRange !== undefined && ifRange !== headers.etag)) {
    return { status: 200, headers, body: bytes }
  }
  const start = Number(match[1])
  const end = match[2] === '' ? bytes.length - 1 : Math.min(Number(match[2]), bytes.length - 1)
  if (start > end) return { status: 416, headers: { ...headers, 'content-range': `bytes */${bytes.length}` } }
  return {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${start}-${end}/${bytes.length}` },
    body: bytes.subarray(start, end + 1),
  }
}

function ignoresRange(fault: Fault | undefined): boolean {
  return fault?.kind === 'ignore-range' || (fault?.kind === 'cut' && fault.ignoreRange === true)
}
