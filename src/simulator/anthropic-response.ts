import { readMessagesRequest } from './anthropic-request.ts'
import type { ApiError } from './api-error.ts'
import type { ApiFormat, Closing, PromptUsage, ResponseHead, StreamEncoder } from './api-format.ts'
import { type FinishReason, type Piece, textOf } from './generation.ts'

/** `POST /v1/messages` of Anthropic. */
export const messages: ApiFormat = {
  path: '/v1/messages',
  idPrefix: 'msg_',
  errorBody: anthropicError,
  readRequest: readMessagesRequest,
  stream: (head) => new MessageStreamEncoder(head),
  whole: message,
}

const STOP_REASONS: Readonly<Record<FinishReason, string>> = { stop: 'end_turn', length: 'max_tokens', tool_calls: 'tool_use' }

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

function anthropicError({ status, message }: ApiError): Record<string, unknown> {
  const type = ERROR_TYPES[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error')
  return { type: 'error', error: { type, message } }
}

class MessageStreamEncoder implements StreamEncoder {
  readonly #head: ResponseHead
  /** The block that is being written, and how many there were before it. */
  #open: string | undefined
  #index = -1

  constructor(head: ResponseHead) {
    this.#head = head
  }

  opening(prompt: PromptUsage | null): string {
    const usage = prompt === null ? {} : { usage: { ...promptUsage(prompt), output_tokens: 1 } }
    const { id, model } = this.#head
    const opened = {
      id,
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      ...usage,
    }
    return event('message_start', { message: opened }) + event('ping', {})
  }

  chunk(pieces: readonly [Piece, ...Piece[]]): string {
    const [first] = pieces
    const text = textOf(pieces)
    switch (first.kind) {
      case 'text':
        return this.#inBlock('text', { type: 'text', text: '' }) + this.#delta({ type: 'text_delta', text })
      case 'reasoning':
        return (
          this.#inBlock('thinking', { type: 'thinking', thinking: '', signature: '' }) +
          this.#delta({ type: 'thinking_delta', thinking: text })
        )
      case 'tool_call': {
        const { id, name } = first
        const begin = this.#inBlock(id, { type: 'tool_use', id, name, input: {} })
        return text === '' ? begin : begin + this.#delta({ type: 'input_json_delta', partial_json: text })
      }
      case 'arguments':
        return this.#delta({ type: 'input_json_delta', partial_json: text })
    }
  }

  closing({ finishReason, usage, done }: Closing): string {
    let text = this.#closeBlock()
    if (finishReason !== null || usage !== null) {
      text += event('message_delta', {
        delta: { stop_reason: finishReason === null ? null : STOP_REASONS[finishReason], stop_sequence: null },
        ...(usage === null ? {} : { usage: { output_tokens: usage.completionTokens } }),
      })
    }
    return done ? text + event('message_stop', {}) : text
  }

  error(text: string): string {
    return event('error', { error: { type: 'api_error', message: text } })
  }

  #inBlock(block: string, begin: Record<string, unknown>): string {
    if (this.#open === block) return ''
    const closed = this.#closeBlock()
    this.#open = block
    this.#index++
    return closed + event('content_block_start', { index: this.#index, content_block: begin })
  }

  #closeBlock(): string {
    if (this.#open === undefined) return ''
    this.#open = undefined
    return event('content_block_stop', { index: this.#index })
  }

  #delta(delta: Record<string, unknown>): string {
    return event('content_block_delta', { index: this.#index, delta })
  }
}

function event(type: string, fields: Record<string, unknown>): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
}

function message(head: ResponseHead, pieces: readonly Piece[], { finishReason, usage }: Closing): string {
  const thinking = textOf(pieces.filter((piece) => piece.kind === 'reasoning'))
  const text = textOf(pieces.filter((piece) => piece.kind === 'text'))
  const toolUses = pieces
    .filter((piece) => piece.kind === 'tool_call')
    .map(({ index, id, name }) => {
      const args = textOf(pieces.filter((piece) => piece.kind === 'arguments' && piece.index === index))
      return `${JSON.stringify({ type: 'tool_use', id, name }).slice(0, -1)},"input":${args || '{}'}}`
    })
  const content = [
    ...(thinking === '' ? [] : [JSON.stringify({ type: 'thinking', thinking, signature: '' })]),
    ...(text === '' ? [] : [JSON.stringify({ type: 'text', text })]),
    ...toolUses,
  ]
  const fields = {
    id: head.id,
    type: 'message',
    role: 'assistant',
    model: head.model,
    stop_reason: finishReason === null ? null : STOP_REASONS[finishReason],
    stop_sequence: null,
    ...(usage === null ? {} : { usage: { ...promptUsage(usage), output_tokens: usage.completionTokens } }),
  }
  // Arguments stand there as they were written, also where a fault leaves their end out.
  return `${JSON.stringify(fields).slice(0, -1)},"content":[${content.join()}]}`
}

/** Input tokens are told without those of the cache. */
function promptUsage({ promptTokens, cachedTokens }: PromptUsage) {
  return {
    input_tokens: promptTokens - cachedTokens,
    cache_read_input_tokens: cachedTokens,
    cache_creation_input_tokens: 0,
  }
}
