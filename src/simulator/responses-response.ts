import { errorBody } from './api-error.ts'
import type { ApiFormat, Closing, ResponseHead, ResponseUsage, StreamEncoder } from './api-format.ts'
import { type Piece, textOf } from './generation.ts'
import { readResponsesRequest } from './responses-request.ts'

/** `POST /v1/responses` of OpenAI. */
export const responses: ApiFormat = {
  path: '/v1/responses',
  idPrefix: 'resp_',
  errorBody,
  readRequest: readResponsesRequest,
  stream: (head) => new ResponseStreamEncoder(head),
  whole: (head, pieces, closing) => JSON.stringify(response(head, itemsOf(head, pieces), closing)),
}

type Item = Readonly<Record<string, unknown>>

/** An item under way. */
interface OpenItem {
  readonly place: string
  readonly index: number
  readonly pieces: Piece[]
}

class ResponseStreamEncoder implements StreamEncoder {
  readonly #head: ResponseHead
  readonly #done: Item[] = []
  #open: OpenItem | undefined
  #sequence = 0

  constructor(head: ResponseHead) {
    this.#head = head
  }

  opening(): string {
    const begun = { ...headOf(this.#head), status: 'in_progress', output: [] }
    return this.#event('response.created', { response: begun }) + this.#event('response.in_progress', { response: begun })
  }

  chunk(pieces: readonly [Piece, ...Piece[]]): string {
    const [first] = pieces
    const place = first.kind === 'tool_call' || first.kind === 'arguments' ? `call ${first.index}` : first.kind
    const opened = this.#open?.place === place ? '' : this.#closeItem() + this.#openItem(place, first)
    this.#open?.pieces.push(...pieces)
    const delta = textOf(pieces)
    return delta === '' ? opened : opened + this.#event(DELTA_EVENTS[first.kind], { ...this.#place(first.kind), delta })
  }

  closing(closing: Closing): string {
    const text = this.#closeItem()
    // The one event that says all of it; without usage or a reason it says so by leaving them out.
    if (!closing.done) return text
    const whole = response(this.#head, this.#done, closing)
    return (
      text + this.#event(closing.finishReason === 'length' ? 'response.incomplete' : 'response.completed', { response: whole })
    )
  }

  error(message: string): string {
    return this.#event('error', { code: 'server_error', message, param: null })
  }

  #openItem(place: string, first: Piece): string {
    const index = this.#done.length
    this.#open = { place, index, pieces: [] }
    const begun = itemOf(this.#head, index, [first])
    const added = this.#event('response.output_item.added', {
      output_index: index,
      item: { ...begun, ...emptied(first), status: 'in_progress' },
    })
    if (first.kind !== 'text') return added
    return added + this.#event('response.content_part.added', { ...this.#place('text'), part: outputText('') })
  }

  #closeItem(): string {
    const open = this.#open
    if (open === undefined) return ''
    const item = itemOf(this.#head, open.index, open.pieces)
    const text = textOf(open.pieces)
    const [first] = open.pieces
    let closed = ''
    if (first?.kind === 'text') {
      closed += this.#event('response.output_text.done', { ...this.#place('text'), text, logprobs: [] })
      closed += this.#event('response.content_part.done', { ...this.#place('text'), part: outputText(text) })
    } else if (first?.kind === 'tool_call') {
      closed += this.#event('response.function_call_arguments.done', {
        ...this.#place('arguments'),
        name: first.name,
        arguments: text,
      })
    } else if (first !== undefined) {
      closed += this.#event('response.reasoning_text.done', { ...this.#place('reasoning'), text })
    }
    this.#done.push(item)
    this.#open = undefined
    return closed + this.#event('response.output_item.done', { output_index: open.index, item })
  }

  /** Where a piece stands: its item and, but for arguments, the part of that. */
  #place(kind: Piece['kind']) {
    const index = this.#open?.index ?? 0
    const item = { item_id: idOf(this.#head, index), output_index: index }
    return kind === 'text' || kind === 'reasoning'
      ? { ...item, content_index: 0, ...(kind === 'text' ? { logprobs: [] } : {}) }
      : item
  }

  #event(type: string, fields: Record<string, unknown>): string {
    return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: this.#sequence++, ...fields })}\n\n`
  }
}

const DELTA_EVENTS: Readonly<Record<Piece['kind'], string>> = {
  text: 'response.output_text.delta',
  reasoning: 'response.reasoning_text.delta',
  tool_call: 'response.function_call_arguments.delta',
  arguments: 'response.function_call_arguments.delta',
}

/** An item has nothing in it when it is announced. */
function emptied(first: Piece): Item {
  return first.kind === 'text' || first.kind === 'reasoning' ? { content: [] } : {}
}

function itemsOf(head: ResponseHead, pieces: readonly Piece[]): Item[] {
  const groups = new Map<string, Piece[]>()
  for (const piece of pieces) {
    const place = piece.kind === 'tool_call' || piece.kind === 'arguments' ? `call ${piece.index}` : piece.kind
    const group = groups.get(place)
    if (group === undefined) groups.set(place, [piece])
    else group.push(piece)
  }
  return [...groups.values()].map((group, index) => itemOf(head, index, group))
}

function itemOf(head: ResponseHead, index: number, pieces: readonly Piece[]): Item {
  const id = idOf(head, index)
  const text = textOf(pieces)
  const [first] = pieces
  if (first?.kind === 'tool_call') {
    return { id, type: 'function_call', status: 'completed', call_id: first.id, name: first.name, arguments: text }
  }
  if (first?.kind === 'reasoning') return { id, type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text }] }
  return { id, type: 'message', status: 'completed', role: 'assistant', content: [outputText(text)] }
}

function outputText(text: string): Item {
  return { type: 'output_text', text, annotations: [], logprobs: [] }
}

function idOf({ id }: ResponseHead, index: number): string {
  return `${id.replace('resp_', 'item_')}_${index}`
}

function headOf({ id, created, model }: ResponseHead): Item {
  return {
    id,
    object: 'response',
    created_at: created,
    model,
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
  }
}

function response(head: ResponseHead, output: readonly Item[], { finishReason, usage }: Closing): Item {
  const cut = finishReason === 'length'
  return {
    ...headOf(head),
    ...(finishReason === null ? {} : { status: cut ? 'incomplete' : 'completed' }),
    ...(cut ? { incomplete_details: { reason: 'max_output_tokens' } } : {}),
    output,
    ...(usage === null ? {} : { usage: usageBody(usage) }),
  }
}

function usageBody(usage: ResponseUsage): Item {
  return {
    input_tokens: usage.promptTokens,
    input_tokens_details: { cached_tokens: usage.cachedTokens },
    output_tokens: usage.completionTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: usage.promptTokens + usage.completionTokens,
  }
}
