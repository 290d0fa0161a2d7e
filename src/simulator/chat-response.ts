import { ApiError, errorBody } from './api-error.ts'
import type { ApiFormat, Closing, ResponseHead, ResponseUsage, StreamEncoder } from './api-format.ts'
import { readChatRequest } from './chat-request.ts'
import { type Piece, textOf } from './generation.ts'

/** `POST /v1/chat/completions` of OpenAI, as vLLM serves it. */
export const chatCompletions: ApiFormat = {
  path: '/v1/chat/completions',
  idPrefix: 'chatcmpl-',
  errorBody,
  readRequest: readChatRequest,
  stream: (head) => new ChatStreamEncoder(head),
  whole: chatCompletion,
}

class ChatStreamEncoder implements StreamEncoder {
  // Chunks differ in little but their delta: what surrounds it is made once.
  readonly #before: string
  readonly #reasoningField: string

  constructor(head: ResponseHead) {
    this.#reasoningField = head.reasoningField
    const opening = { id: head.id, object: 'chat.completion.chunk', created: head.created, model: head.model }
    this.#before = `data: ${JSON.stringify(opening).slice(0, -1)},"choices":`
  }

  opening(): string {
    return this.#delta('{"role":"assistant","content":""}')
  }

  chunk(pieces: readonly [Piece, ...Piece[]]): string {
    const [first] = pieces
    if (first.kind === 'tool_call') {
      const called = { name: first.name, arguments: textOf(pieces) }
      return this.#toolCall({ index: first.index, id: first.id, type: 'function', function: called })
    }
    if (first.kind === 'arguments') return this.#toolCall({ index: first.index, function: { arguments: textOf(pieces) } })
    const field = first.kind === 'text' ? 'content' : this.#reasoningField
    return this.#delta(`{"${field}":${JSON.stringify(textOf(pieces))}}`)
  }

  closing({ finishReason, usage, done }: Closing): string {
    let text = ''
    if (finishReason !== null) {
      text += `${this.#before}[{"index":0,"delta":{},"logprobs":null,"finish_reason":"${finishReason}"}]}\n\n`
    }
    if (usage !== null) text += `${this.#before}[],"usage":${JSON.stringify(usageBody(usage))}}\n\n`
    return done ? `${text}data: [DONE]\n\n` : text
  }

  error(message: string): string {
    return `data: ${JSON.stringify(errorBody(new ApiError(500, message)))}\n\ndata: [DONE]\n\n`
  }

  #toolCall(call: unknown): string {
    return this.#delta(`{"tool_calls":[${JSON.stringify(call)}]}`)
  }

  #delta(delta: string): string {
    return `${this.#before}[{"index":0,"delta":${delta},"logprobs":null,"finish_reason":null}]}\n\n`
  }
}

function chatCompletion(head: ResponseHead, pieces: readonly Piece[], { finishReason, usage }: Closing): string {
  const reasoning = textOf(pieces.filter((piece) => piece.kind === 'reasoning'))
  const content = textOf(pieces.filter((piece) => piece.kind === 'text'))
  const toolCalls = pieces
    .filter((piece) => piece.kind === 'tool_call')
    .map(({ index, id, name }) => {
      const text = textOf(pieces.filter((piece) => piece.kind === 'arguments' && piece.index === index))
      return { id, type: 'function', function: { name, arguments: text } }
    })
  return JSON.stringify({
    id: head.id,
    object: 'chat.completion',
    created: head.created,
    model: head.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: content === '' && toolCalls.length > 0 ? null : content,
          ...(reasoning === '' ? {} : { [head.reasoningField]: reasoning }),
          ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
        },
        logprobs: null,
        ...(finishReason === null ? {} : { finish_reason: finishReason }),
      },
    ],
    ...(usage === null ? {} : { usage: usageBody(usage) }),
  })
}

/** Usage as both older APIs tell it. */
export function usageBody(usage: ResponseUsage): Record<string, unknown> {
  return {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    total_tokens: usage.promptTokens + usage.completionTokens,
    prompt_tokens_details: { cached_tokens: usage.cachedTokens },
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  }
}
