/** One request on the wire: encode, send, read the stream, time it. */
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
export type { TargetKind, TargetOptions, TimeoutOptions } from './target.ts'
