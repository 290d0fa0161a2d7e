import { z } from 'zod'
import { checkOptions, type Duration, parseDuration, TraceReplayError } from '../base/index.ts'
import { API_NAMES, type ApiName } from './api-name.ts'
import type { RequestTimeouts } from './endpoint.ts'
import { checkHeaderName, checkHeaders } from './request-headers.ts'
import { secretsAmong } from './secrets.ts'
import { type ServerDialect, serverDialects } from './server-dialect.ts'
import { metricsSchema, metricsTargetOf } from './server-metrics/metrics-target.ts'
import type { Target, TargetKind, TargetOptions } from './target.ts'
import { parseTargetUrl, type TargetUrl } from './target-url.ts'
import { resolveTls, tlsSchema } from './tls-options.ts'

const kinds = Object.keys(serverDialects) as [TargetKind, ...TargetKind[]]

const duration = z.union([z.number(), z.string()]).optional()

const modelName = z.string().min(1, 'expected the name of a model')

// What may hold a secret is checked by hand: a schema's error shows the value it met.
const targetSchema = z.strictObject({
  kind: z.enum(kinds),
  api: z.enum(API_NAMES).optional(),
  url: z.unknown().optional(),
  model: modelName.optional(),
  models: z.record(z.string(), modelName).optional(),
  apiKey: z.unknown().optional(),
  apiKeyVariable: z.string().min(1, 'expected the name of an environment variable').optional(),
  headers: z.unknown().optional(),
  body: z.record(z.string(), z.unknown()).optional(),
  sessionHeader: z.string().optional(),
  tls: tlsSchema.optional(),
  http2: z.boolean().optional(),
  keepAlive: z.boolean().optional(),
  sessionTokenHeader: z.string().optional(),
  attributeHeaders: z.record(z.string(), z.string().min(1, 'expected the name of a span attribute')).optional(),
  maxTokensField: z.enum(['max_tokens', 'max_completion_tokens']).optional(),
  metrics: metricsSchema.optional(),
  timeouts: z.strictObject({ connect: duration, firstToken: duration, idle: duration, call: duration }).optional(),
})

/**
 * Checks a target's options and sets every default.
 *
 * @param options as the user wrote them: nothing is taken on trust, the error says what is wrong and what was expected
 * @param env where a key is looked up when the options hold none
 * @throws {TraceReplayError} `INVALID_OPTION`; the message never shows a key or credentials
 * @example
 * const target = resolveTarget({ kind: 'vllm', url: 'http://127.0.0.1:8000' }, process.env)
 */
export function resolveTarget(options: TargetOptions, env: Readonly<Record<string, string | undefined>>): Target {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw invalid("target: expected an object such as { kind: 'vllm', url: 'http://127.0.0.1:8000' }.")
  }
  const checked = checkOptions(targetSchema, options, 'target')
  const location = parseTargetUrl(checked.url, 'target.url')
  const { origin, basePath, query } = location
  const dialect = serverDialects[checked.kind]
  const api = apiOf(checked.api, location, dialect)
  const headers = checkHeaders(checked.headers, 'target.headers')
  const keyVariable = checked.apiKeyVariable ?? dialect.apiKeyVariable
  const key = keyOf(checked.apiKey, keyVariable, env)
  if (key !== undefined) addKey(headers, key, dialect, api)
  const body = plainBody(checked.body, api)
  if ((checked.tls !== undefined || checked.http2 === true) && !origin.startsWith('https:')) {
    throw invalid('target: `tls` and `http2` want an https URL.')
  }
  const tls = checked.tls && resolveTls(checked.tls)
  const sessionHeader = headerNameOf(checked.sessionHeader, 'target.sessionHeader')
  const sessionTokenHeader = headerNameOf(checked.sessionTokenHeader, 'target.sessionTokenHeader') ?? dialect.sessionTokenHeader
  const metrics = metricsTargetOf(checked.metrics, { origin, basePath, headers })
  return {
    kind: checked.kind,
    api,
    ...(tls !== undefined && { tls }),
    http2: checked.http2 ?? false,
    keepAlive: checked.keepAlive ?? true,
    ...(key === undefined && keyVariable !== undefined && { unsetKeyVariable: keyVariable }),
    origin,
    basePath,
    query,
    url: `${origin}${basePath}`,
    ...(checked.model !== undefined && { model: checked.model }),
    models: checked.models ?? {},
    headers,
    ...(sessionHeader !== undefined && { sessionHeader }),
    ...(sessionTokenHeader !== undefined && { sessionTokenHeader }),
    attributeHeaders: Object.fromEntries(
      Object.entries(checked.attributeHeaders ?? {}).map(([name, attribute]) => [
        checkHeaderName(name, 'target.attributeHeaders'),
        attribute,
      ]),
    ),
    body,
    dialect: checked.maxTokensField === undefined ? dialect : { ...dialect, maxTokensField: checked.maxTokensField },
    timeouts: timeoutsOf(checked.timeouts ?? {}),
    ...(metrics !== undefined && { metrics }),
    secrets: secretsAmong([
      ...Object.entries(headers),
      ...new URLSearchParams(query),
      ['key', key ?? ''],
      ['passphrase-key', tls?.passphrase ?? ''],
    ]),
  }
}

/** Where an API takes what was said. */
const HISTORY_FIELDS: Readonly<Record<ApiName, string>> = {
  chat: 'messages',
  completions: 'prompt',
  responses: 'input',
  messages: 'messages',
}

function apiOf(option: ApiName | undefined, { api: ofUrl }: TargetUrl, dialect: ServerDialect): ApiName {
  if (option === undefined || ofUrl === undefined || option === ofUrl) return option ?? ofUrl ?? dialect.api
  throw invalid(`target.api: is '${option}', but \`url\` ends in the path of '${ofUrl}'. Leave one of them out.`)
}

/** A gateway or engine that serves Anthropic's API beside OpenAI's may look for the key where either has it. */
function addKey(headers: Record<string, string>, key: string, { keyHeader }: ServerDialect, api: ApiName): void {
  if (keyHeader === 'x-api-key' || api === 'messages') headers['x-api-key'] ??= key
  if (keyHeader === 'authorization') headers.authorization ??= `Bearer ${key}`
}

function headerNameOf(name: string | undefined, where: string): string | undefined {
  return name === undefined ? undefined : checkHeaderName(name, where)
}

/** The fields as JSON has them: nothing that would be left out of it, or could not cross to a thread. */
function plainBody(body: Readonly<Record<string, unknown>> = {}, api: ApiName): Readonly<Record<string, unknown>> {
  const field = HISTORY_FIELDS[api]
  if (field in body) throw invalid(`target.body: \`${field}\` come from the trace and cannot be replaced.`)
  try {
    return JSON.parse(JSON.stringify(body, jsonValue))
  } catch (cause) {
    if (cause instanceof TraceReplayError) throw cause
    const reason = cause instanceof Error ? `: ${cause.message.split('\n', 1)[0]}` : ''
    throw new TraceReplayError('INVALID_OPTION', `target.body: cannot be written as JSON${reason}.`, { cause })
  }
}

function jsonValue(key: string, value: unknown): unknown {
  const isJson = typeof value === 'number' ? Number.isFinite(value) : !['function', 'symbol', 'bigint'].includes(typeof value)
  if (isJson) return value
  const found = typeof value === 'number' ? String(value) : `a ${typeof value}`
  throw invalid(
    `target.body: \`${key}\` is ${found}, which JSON cannot hold. Give text, a finite number, true, false, null, a list or an object.`,
  )
}

function timeoutsOf(options: { [Name in keyof NonNullable<TargetOptions['timeouts']>]: Duration | undefined }): RequestTimeouts {
  const ms = (name: keyof typeof options, fallback: Duration): number => {
    const parsed = parseDuration(options[name] ?? fallback, `target.timeouts.${name}`)
    return parsed === 0 ? Number.POSITIVE_INFINITY : parsed
  }
  return {
    connectMs: ms('connect', '10s'),
    firstTokenMs: ms('firstToken', '5m'),
    idleMs: ms('idle', '60s'),
    callMs: ms('call', '15m'),
  }
}

function keyOf(
  option: unknown,
  variable: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (option !== undefined && typeof option !== 'string') throw invalid('target.apiKey: expected text.')
  // A key read from a file often ends in a newline.
  const key = (option ?? (variable === undefined ? undefined : env[variable]))?.trim()
  if (key === undefined || key === '') return undefined
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw invalid(
      `${option === undefined ? `environment variable ${variable}` : 'target.apiKey'}: holds characters that no key has (spaces, control characters or letters beyond ASCII).`,
    )
  }
  return key
}

function invalid(message: string): TraceReplayError {
  return new TraceReplayError('INVALID_OPTION', message)
}
