import type { ServerResponse } from 'node:http'
import type { Clock, Timer } from '../base/index.ts'
import { mix } from '../base/index.ts'
import { Answer } from './answer.ts'
import { ApiError } from './api-error.ts'
import type { ApiFormat } from './api-format.ts'
import type { JsonObject } from './body-fields.ts'
import type { HttpExchange } from './connections.ts'
import type { FaultDoing } from './fault-options.ts'
import type { FaultPlan } from './fault-plan.ts'
import { planGeneration } from './generation.ts'
import type { GenerationRequest } from './generation-request.ts'
import type { InferenceEngine } from './inference-engine.ts'
import type { SimulatorSettings } from './options.ts'
import type { LoggedRequest } from './request-log.ts'
import { type BodyFault, ResponseBody } from './response-body.ts'

/** Takes requests to the simulated model and answers them. */
export class CompletionHandler {
  readonly #settings: SimulatorSettings
  readonly #clock: Clock
  readonly #engine: InferenceEngine
  readonly #faults: FaultPlan
  #ids = 0

  constructor(settings: SimulatorSettings, clock: Clock, engine: InferenceEngine, faults: FaultPlan) {
    this.#settings = settings
    this.#clock = clock
    this.#engine = engine
    this.#faults = faults
  }

  /** @throws {ApiError} when the request is refused; nothing is written then */
  handle(format: ApiFormat, body: JsonObject, exchange: HttpExchange, entry: LoggedRequest): void {
    const request = format.readRequest(body, this.#settings.cacheBlockTokens)
    this.#checkModel(request.model)
    this.#checkLength(request)
    entry.promptTokens = request.prompt.length
    const fault = forTransport(this.#faults.choose(body, request), request.stream, format)
    entry.fault = fault?.kind ?? null
    if (fault?.kind === 'status') sendStatus(exchange.response, fault, format)
    else this.#answer(format, request, fault, exchange, entry)
  }

  #answer(
    format: ApiFormat,
    request: GenerationRequest,
    fault: FaultDoing | undefined,
    exchange: HttpExchange,
    entry: LoggedRequest,
  ): void {
    const { response } = exchange
    const { reasoning } = this.#settings
    const flaw = fault?.kind === 'malformed-arguments' || fault?.kind === 'empty' ? fault.kind : undefined
    const head = {
      id: this.#newId(format.idPrefix),
      created: Math.floor(Date.now() / 1_000),
      model: request.model,
      reasoningField: reasoning?.field ?? 'reasoning',
    }
    const body = new ResponseBody({
      response,
      clock: this.#clock,
      fault: isBodyFault(fault) ? fault : undefined,
      errorEvent: (message) => format.stream(head).error(message),
      resume: () => answer.write(),
    })
    const answer = new Answer({
      tokens: request.prompt,
      generation: planGeneration(request, this.#settings, () => this.#newId('call_'), flaw),
      format,
      head,
      body,
      stream: request.stream,
      streamUsage: request.streamUsage,
      tokensPerChunk: this.#settings.tokensPerChunk,
      omitted: fault?.kind === 'omit' ? fault.parts : [],
      entry,
      clock: this.#clock,
    })
    let delay: Timer | undefined
    exchange.whenOver(() => {
      delay?.cancel()
      body.abandon()
      this.#engine.cancel(answer)
    })
    response.setHeader('content-type', request.stream ? 'text/event-stream; charset=utf-8' : 'application/json')
    response.setHeader('cache-control', 'no-cache')
    response.setHeader('x-request-id', head.id)
    if (fault?.kind === 'stall' && fault.after === 'headers') response.flushHeaders()
    const delayMs = startDelayMs(fault)
    if (delayMs === 0) this.#engine.submit(answer)
    else if (delayMs !== Number.POSITIVE_INFINITY) delay = this.#clock.after(delayMs, () => this.#engine.submit(answer))
  }

  #checkModel(model: string): void {
    const { models } = this.#settings
    if (models === undefined || models.includes(model)) return
    throw new ApiError(404, `The model '${model}' does not exist. Served: ${models.join(', ')}.`, {
      type: 'invalid_request_error',
      param: 'model',
      code: 'model_not_found',
    })
  }

  #checkLength({ prompt, maxTokens }: GenerationRequest): void {
    const { contextTokens } = this.#settings
    const wanted = prompt.length + (maxTokens ?? 1)
    if (wanted <= contextTokens) return
    throw new ApiError(
      400,
      `The model's context holds ${contextTokens} tokens, but ${wanted} were asked for: ${prompt.length} in the messages and tools, ${maxTokens ?? 1} for the output.`,
      { param: 'messages', code: 'context_length_exceeded' },
    )
  }

  /** Unique on this server and, in order of arrival, the same in every run. */
  #newId(prefix: string): string {
    const ordinal = this.#ids++
    const part = (lane: number) => mix(mix(this.#settings.seed, lane), ordinal).toString(16).padStart(8, '0')
    return `${prefix}${part(1)}${part(2)}${part(3)}`
  }
}

/** What a fault of streams means for a response that is not one. */
function forTransport(fault: FaultDoing | undefined, stream: boolean, format: ApiFormat): FaultDoing | undefined {
  if (fault?.kind !== 'stream-error' || stream) return fault
  return { kind: 'status', status: 500, body: format.errorBody(new ApiError(500, fault.message)) }
}

function isBodyFault(fault: FaultDoing | undefined): fault is BodyFault {
  return fault?.kind === 'stall' || fault?.kind === 'cut' || fault?.kind === 'stream-error' || fault?.kind === 'garbage'
}

function startDelayMs(fault: FaultDoing | undefined): number {
  if (fault?.kind === 'slow-accept') return fault.ms
  if (fault?.kind === 'stall' && typeof fault.after === 'string') return fault.forMs ?? Number.POSITIVE_INFINITY
  return 0
}

function sendStatus(response: ServerResponse, fault: Extract<FaultDoing, { kind: 'status' }>, format: ApiFormat): void {
  const body = fault.body ?? format.errorBody(new ApiError(fault.status, `The simulator was told to answer ${fault.status}.`))
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const type = typeof body !== 'string' ? 'application/json' : body.startsWith('<') ? 'text/html' : 'text/plain'
  response.writeHead(fault.status, {
    ...(text === '' ? {} : { 'content-type': type }),
    ...(fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) }),
    ...fault.headers,
  })
  response.end(text)
}
