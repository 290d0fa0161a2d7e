import { ApiError, errorBody } from './api-error.ts'
import type { ApiFormat, Closing, ResponseHead, StreamEncoder } from './api-format.ts'
import { usageBody } from './chat-response.ts'
import { readCompletionsRequest } from './completions-request.ts'
import { type Piece, textOf } from './generation.ts'

/** `POST /v1/completions` of OpenAI, as vLLM serves it. */
export const completions: ApiFormat = {
  path: '/v1/completions',
  idPrefix: 'cmpl-',
  errorBody,
  readRequest: readCompletionsRequest,
  stream: (head) => new CompletionStreamEncoder(head),
  whole: completion,
}

class CompletionStreamEncoder implements StreamEncoder {
  readonly #before: string

  constructor(head: ResponseHead) {
    this.#before = `data: ${JSON.stringify(headOf(head)).slice(0, -1)},"choices":`
  }

  opening(): string {
    return ''
  }

  chunk(pieces: readonly [Piece, ...Piece[]]): string {
    return this.#choice(textOf(pieces), null)
  }

  closing({ finishReason, usage, done }: Closing): string {
    let text = finishReason === null ? '' : this.#choice('', finishReason)
    if (usage !== null) text += `${this.#before}[],"usage":${JSON.stringify(usageBody(usage))}}\n\n`
    return done ? `${text}data: [DONE]\n\n` : text
  }

  error(message: string): string {
    return `data: ${JSON.stringify(errorBody(new ApiError(500, message)))}\n\ndata: [DONE]\n\n`
  }

  #choice(text: string, finishReason: string | null): string {
    return `${this.#before}${JSON.stringify([{ index: 0, text, logprobs: null, finish_reason: finishReason }])}}\n\n`
  }
}

function completion(head: ResponseHead, pieces: readonly Piece[], { finishReason, usage }: Closing): string {
  return JSON.stringify({
    ...headOf(head),
    choices: [
      { index: 0, text: textOf(pieces), logprobs: null, ...(finishReason === null ? {} : { finish_reason: finishReason }) },
    ],
    ...(usage === null ? {} : { usage: usageBody(usage) }),
  })
}

function headOf({ id, created, model }: ResponseHead) {
  return { id, object: 'text_completion', created, model }
}
