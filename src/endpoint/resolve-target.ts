import { z } from 'zod'
import { checkOptions, type Duration, parseDuration, TraceReplayError } from '../base/index.ts'
import type { RequestTimeouts } from './endpoint.ts'
import { checkHeaders } from './request-headers.ts'
import { secretsAmong } from './secrets.ts'
import { serverDialects } from './server-dialect.ts'
import type { Target, TargetKind, TargetOptions } from './target.ts'
import { parseTargetUrl } from './target-url.ts'

const kinds = Object.keys(serverDialects) as [TargetKind, ...TargetKind[]]

const duration = z.union([z.number(), z.string()]).optional()

// What may hold a secret is checked by hand: a schema's error shows the value it met.
const targetSchema = z.strictObject({
  kind: z.enum(kinds),
  url: z.unknown().optional(),
  model: z.string().min(1, 'expected the name of a model').optional(),
  apiKey: z.unknown().optional(),
  headers: z.unknown().optional(),
  body: z.record(z.string(), z.unknown()).optional(),
  maxTokensField: z.enum(['max_tokens', 'max_completion_tokens']).optional(),
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
  const { origin, basePath, query } = parseTargetUrl(checked.url, 'target.url')
  const dialect = serverDialects[checked.kind]
  const headers = checkHeaders(checked.headers, 'target.headers')
  const key = keyOf(checked.apiKey, dialect.apiKeyVariable, env)
  if (key !== undefined && headers.authorization === undefined) headers.authorization = `Bearer ${key}`
  checkBody(checked.body)
  return {
    kind: checked.kind,
    origin,
    basePath,
    query,
    url: `${origin}${basePath}`,
    ...(checked.model !== undefined && { model: checked.model }),
    headers,
    body: checked.body ?? {},
    dialect: checked.maxTokensField === undefined ? dialect : { ...dialect, maxTokensField: checked.maxTokensField },
    timeouts: timeoutsOf(checked.timeouts ?? {}),
    secrets: secretsAmong([...Object.entries(headers), ...new URLSearchParams(query), ['key', key ?? '']]),
  }
}

function checkBody(body: Readonly<Record<string, unknown>> = {}): void {
  if ('messages' in body) throw invalid('target.body: `messages` come from the trace and cannot be replaced.')
  try {
    JSON.stringify(body)
  } catch (cause) {
    throw new TraceReplayError('INVALID_OPTION', 'target.body: cannot be written as JSON.', { cause })
  }
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
