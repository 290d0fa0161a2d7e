import { TraceReplayError } from '../base/index.ts'
import type { ApiName } from './api-name.ts'

/** The parts of a target's URL. */
export interface TargetUrl {
  readonly origin: string
  readonly basePath: string
  readonly query: string
  /** The API whose own path it ends in. */
  readonly api?: ApiName
}

const FULL_PATH = /\/(?:(chat)\/completions|(completions|responses|messages))$/
const VERSION_SEGMENT = /\/v\d+[a-z0-9]*(?:\/|$)/

/**
 * Takes a base URL apart. `/v1` is added unless the path names a version already or is an API's full path.
 *
 * @throws {TraceReplayError} `INVALID_OPTION`; the message never shows credentials or a query
 */
export function parseTargetUrl(value: unknown, where: string): TargetUrl {
  const fail = (problem: string): never => {
    throw new TraceReplayError('INVALID_OPTION', `${where}: ${problem}`)
  }
  if (value === undefined || value === '') {
    return fail(
      "is missing, expected the server's base URL such as 'http://127.0.0.1:8000'. If it comes from an environment variable, is that set?",
    )
  }
  if (typeof value !== 'string') return fail(`is ${typeName(value)}, expected text such as 'http://127.0.0.1:8000'.`)

  const url = URL.canParse(value) ? new URL(value) : undefined
  // 'localhost:8000' parses as a scheme named 'localhost'.
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '') {
    const shown = value.includes('@') ? 'the value' : `'${value.replace(/[?#].*$/s, '')}'`
    const hint =
      /^[a-z][a-z0-9+.-]*:\/\//i.test(value) || value.includes('@')
        ? ''
        : ` Did you mean 'http://${value.replace(/[?#].*$/s, '').replace(/^\/+/, '')}'?`
    return fail(`${shown} is not an http or https URL.${hint}`)
  }
  if (url.username !== '' || url.password !== '') {
    return fail('holds a user name or password. Take them out and give `apiKey`, or an `authorization` header in `headers`.')
  }
  const path = url.pathname.replace(/\/+$/, '')
  const [, chat, other] = FULL_PATH.exec(path) ?? []
  const api = (chat ?? other) as ApiName | undefined
  return { origin: url.origin, basePath: basePathOf(path), query: url.search, ...(api !== undefined && { api }) }
}

function basePathOf(path: string): string {
  if (FULL_PATH.test(path)) return path.replace(FULL_PATH, '')
  return VERSION_SEGMENT.test(path) ? path : `${path}/v1`
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
