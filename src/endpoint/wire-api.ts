import type { Message, TokenUsage } from '../message/index.ts'
import type { EndpointRequest, FailureLabel } from './endpoint.ts'
import type { RequestBody } from './join-body.ts'
import type { KnownEvents } from './server-sent-events.ts'

/** One API: how a request is written and how its response is read. */
export interface WireApi {
  /** Appended to the target's base path: `/chat/completions`. */
  readonly path: string
  /** Headers the API asks for, whatever the target. */
  readonly headers?: Readonly<Record<string, string>>
  encode(request: EndpointRequest): RequestBody
  /** A reader takes one response, to that request. */
  openResponse(request: EndpointRequest): ResponseReader
}

/** Takes a response piece by piece; whatever the pieces hold, it never throws. */
export interface ResponseReader extends KnownEvents {
  /** One server-sent event. Hot path. */
  readEvent(data: string, name: string): void
  /** The whole body of a response that is not streamed. */
  readBody(text: string): void
  /** How many of them carried output: text, reasoning, a tool call. */
  readonly outputs: number
  /** The response said itself that it is complete: what follows does not matter. */
  readonly done: boolean
  /** Known before the response has ended: an error inside it, or content that is not the API's. */
  readonly failure: ResponseFailure | undefined
  readonly usage: TokenUsage | null
  readonly servedModel: string | undefined
  /** The response has ended: what came of it. */
  finish(): ResponseOutcome
}

export interface ResponseFailure {
  readonly label: FailureLabel
  readonly message: string
}

export type ResponseOutcome =
  | { readonly state: 'ok'; readonly message: Message; readonly finishReason: string }
  | { readonly state: 'failed'; readonly failure: ResponseFailure }
