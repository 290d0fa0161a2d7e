/** A request the server refuses, in OpenAI's terms. */
export class ApiError extends Error {
  readonly status: number
  readonly type: string
  readonly param: string | null
  readonly code: string | null
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, message: string, details: ApiErrorDetails = {}) {
    super(message)
    this.status = status
    this.type = details.type ?? (status >= 500 ? 'server_error' : 'invalid_request_error')
    this.param = details.param ?? null
    this.code = details.code ?? null
    this.headers = details.headers ?? {}
  }
}

interface ApiErrorDetails {
  readonly type?: string
  readonly param?: string
  readonly code?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The body OpenAI-compatible servers answer with. */
export function errorBody(error: ApiError): Record<string, unknown> {
  return { error: { message: error.message, type: error.type, param: error.param, code: error.code } }
}

/** A body whose value at `param` cannot be used. */
export function invalidRequest(param: string, message: string, code = 'invalid_value'): ApiError {
  return new ApiError(400, message, { param, code })
}
