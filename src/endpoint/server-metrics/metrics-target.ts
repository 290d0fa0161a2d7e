import { z } from 'zod'
import { type Duration, parseDuration, TraceReplayError } from '../../base/index.ts'

/** Where a server publishes its metrics, and how often they are looked at. */
export interface MetricsOptions {
  /** @default `/metrics` beside the API: of `http://host:8000/v1` it is `http://host:8000/metrics` */
  readonly url?: string
  /** Between two looks while a stage runs; there is one at each stage's borders besides. At least 100 ms. @default '1s' */
  readonly interval?: Duration
}

/** {@link MetricsOptions} with every default set. */
export interface MetricsTarget {
  readonly url: string
  readonly intervalMs: number
  /** Those of the target, for a URL of the same origin; none for another, which must not learn the key. */
  readonly headers: Readonly<Record<string, string>>
}

export const metricsSchema = z.union(
  [z.boolean(), z.strictObject({ url: z.string().optional(), interval: z.union([z.number(), z.string()]).optional() })],
  { error: "expected `true`, or `{ url, interval: '1s' }`" },
)

const DEFAULT_INTERVAL = '1s'
const LEAST_INTERVAL_MS = 100

/** @throws {TraceReplayError} `INVALID_OPTION` */
export function metricsTargetOf(
  options: z.output<typeof metricsSchema> | undefined,
  {
    origin,
    basePath,
    headers,
  }: { readonly origin: string; readonly basePath: string; readonly headers: Readonly<Record<string, string>> },
): MetricsTarget | undefined {
  if (options === undefined || options === false) return undefined
  const { url = `${origin}${basePath.replace(/\/v\d\w*(?:\/openai)?$/, '')}/metrics`, interval = DEFAULT_INTERVAL } =
    options === true ? {} : options
  const intervalMs = parseDuration(interval, 'target.metrics.interval')
  if (intervalMs < LEAST_INTERVAL_MS) {
    throw new TraceReplayError(
      'INVALID_OPTION',
      `target.metrics.interval: is ${intervalMs}ms, expected at least ${LEAST_INTERVAL_MS}ms: more often it would be a load of its own.`,
    )
  }
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new TraceReplayError('INVALID_OPTION', "target.metrics.url: expected a URL such as 'http://127.0.0.1:8000/metrics'.")
  }
  return { url, intervalMs, headers: new URL(url).origin === origin ? headers : {} }
}
