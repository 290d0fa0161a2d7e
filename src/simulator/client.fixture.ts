import { onTestFinished, vi } from 'vitest'
import type { SimulatorOptions } from './options.ts'
import { type Simulator, startSimulator } from './simulator.ts'

export const USER = { role: 'user', content: 'How is the weather in Graz?' }

export const WEATHER_TOOL = {
  type: 'function',
  function: {
    name: 'get_weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false },
  },
}

/** A simulator that answers at once, unless told otherwise, and is closed with the test. */
export async function simulate(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await startSimulator({ speed: Number.POSITIVE_INFINITY, ...options })
  onTestFinished(() => simulator.close())
  return simulator
}

/** Waits for what must come, however busy the machine is. */
export function until(holds: () => void): Promise<void> {
  return vi.waitFor(holds, { timeout: 20_000, interval: 5 })
}

export interface ChatAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Sends a chat completion; `body` is laid over one that is fine. */
export async function chat(
  simulator: Simulator,
  body: Readonly<Record<string, unknown>> = {},
  init: RequestInit = {},
): Promise<ChatAnswer> {
  const response = await startChat(simulator, body, init)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** The same, resolved when the head of the response is there. */
export function startChat(
  simulator: Simulator,
  body: Readonly<Record<string, unknown>> = {},
  init: RequestInit = {},
): Promise<Response> {
  return fetch(`${simulator.url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', messages: [USER], max_tokens: 8, ...body }),
    ...init,
    headers: { 'content-type': 'application/json', ...init.headers },
  })
}

export interface ChatChunk {
  readonly id: string
  /** Absent where the chunk tells an error. */
  readonly choices?: readonly {
    readonly delta: {
      readonly role?: string
      readonly content?: string
      readonly reasoning?: string
      readonly reasoning_content?: string
      readonly tool_calls?: readonly {
        readonly index: number
        readonly id?: string
        readonly function: { readonly name?: string; readonly arguments: string }
      }[]
    }
    readonly finish_reason: string | null
  }[]
  readonly usage?: ChatUsage
  readonly error?: { readonly message: string }
}

export interface ChatUsage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly total_tokens: number
  readonly prompt_tokens_details: { readonly cached_tokens: number }
  readonly completion_tokens_details: { readonly reasoning_tokens: number }
}

export interface ChatBody {
  readonly choices: readonly [
    {
      readonly message: {
        readonly role: string
        readonly content: string | null
        readonly reasoning?: string
        readonly tool_calls?: readonly {
          readonly id: string
          readonly function: { readonly name: string; readonly arguments: string }
        }[]
      }
      readonly finish_reason: string
    },
  ]
  readonly usage: ChatUsage
}

export function bodyOf(answer: ChatAnswer): ChatBody {
  return JSON.parse(answer.text) as ChatBody
}

/** The chunks of a stream, and whether it says that it is done. */
export function chunksOf(text: string): { readonly chunks: readonly ChatChunk[]; readonly done: boolean } {
  const events = text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => event.replace(/^data: /, ''))
  const chunks = events.filter((event) => event.startsWith('{')).map((event) => JSON.parse(event) as ChatChunk)
  return { chunks, done: events.at(-1) === '[DONE]' }
}

/** What a stream says, put together. */
export function streamed(text: string) {
  const { chunks, done } = chunksOf(text)
  const choices = chunks.flatMap((chunk) => chunk.choices ?? [])
  const calls: { id: string | undefined; name: string | undefined; arguments: string }[] = []
  for (const delta of choices.flatMap((choice) => choice.delta.tool_calls ?? [])) {
    const call = calls[delta.index]
    if (call === undefined) calls[delta.index] = { id: delta.id, name: delta.function.name, arguments: delta.function.arguments }
    else call.arguments += delta.function.arguments
  }
  return {
    content: choices.map((choice) => choice.delta.content ?? '').join(''),
    reasoning: choices.map((choice) => choice.delta.reasoning ?? choice.delta.reasoning_content ?? '').join(''),
    calls,
    finishReasons: choices.flatMap((choice) => (choice.finish_reason === null ? [] : [choice.finish_reason])),
    usage: chunks.find((chunk) => chunk.usage !== undefined)?.usage,
    outputChunks: choices.filter(({ delta }) => delta.content || delta.reasoning || delta.reasoning_content || delta.tool_calls)
      .length,
    errors: chunks.flatMap((chunk) => chunk.error?.message ?? []),
    done,
  }
}
