/** One request on the wire: encode, send, read the stream, time it. */

export type { ApiName } from './api-name.ts'
export { createEndpoint, type EndpointDependencies } from './create-endpoint.ts'
export type {
  Endpoint,
  EndpointRequest,
  Exchange,
  ExchangeError,
  ExchangeResult,
  FailureLabel,
  RequestTimeouts,
  ToolChoice,
} from './endpoint.ts'
export { resolveTarget } from './resolve-target.ts'
export type { ServerDialect } from './server-dialect.ts'
export type { MetricsOptions, MetricsTarget } from './server-metrics/metrics-target.ts'
export { type Scrape, scrapeServerMetrics } from './server-metrics/scrape.ts'
export type { Target, TargetKind, TargetOptions, TimeoutOptions } from './target.ts'
export type { TlsOptions } from './tls-options.ts'
