import { z } from 'zod'

/** Something that goes wrong on demand. */
export interface FaultOptions {
  /** Which requests it befalls; all given conditions must hold, none means every request. */
  readonly when?: FaultCondition
  readonly do: FaultAction
}

/**
 * `model`, `textIncludes` and `match` pick requests by what they are. `nth`, `every` and `probability` then pick among
 * those, in order of arrival.
 */
export interface FaultCondition {
  /** Model asked for. */
  readonly model?: string
  /** Text that one of the messages holds. */
  readonly textIncludes?: string
  /** Any test of the parsed request body. */
  readonly match?: (body: Readonly<Record<string, unknown>>) => boolean
  /** The first is 1. */
  readonly nth?: number | readonly number[]
  /** `3` befalls the third, sixth, ninth, … */
  readonly every?: number
  /** 0 to 1, drawn from the simulator's seed. */
  readonly probability?: number
}

/**
 * What a fault does. Chunks are those with output: the head that only names the role does not count. In a response that
 * is not streamed the point "after n chunks" lies in the middle of the body. Durations are real time, whatever `speed` is.
 */
export type FaultAction =
  /** An HTTP error. `body`: text is sent as it is, an object as JSON. @default an OpenAI-shaped error */
  | {
      readonly kind: 'status'
      readonly status: number
      readonly body?: string | Readonly<Record<string, unknown>>
      /** `Retry-After`, in seconds. */
      readonly retryAfter?: number
      readonly headers?: Readonly<Record<string, string>>
    }
  /** Falls silent with the connection open: before the response, after its headers, or after some chunks. @default forMs: for ever */
  | {
      readonly kind: 'stall'
      readonly after: 'accept' | 'headers' | { readonly chunks: number }
      readonly forMs?: number
    }
  /** The response breaks off: by a clean end of the body, a closed connection, or a reset. @default how: 'end' */
  | { readonly kind: 'cut'; readonly afterChunks: number; readonly how?: 'end' | 'close' | 'reset' }
  /** An `error` object inside a 200 stream, which then ends. A response that is not streamed becomes a 500. */
  | { readonly kind: 'stream-error'; readonly afterChunks: number; readonly message?: string }
  /** These bytes are put into the body as they are. */
  | { readonly kind: 'garbage'; readonly afterChunks: number; readonly data: string }
  /** Tool calls end before their arguments are valid JSON. */
  | { readonly kind: 'malformed-arguments' }
  /** The request is taken up this much later. */
  | { readonly kind: 'slow-accept'; readonly ms: number }
  /** A well-formed answer without any output. */
  | { readonly kind: 'empty' }
  /** The response lacks these. */
  | { readonly kind: 'omit'; readonly parts: readonly OmittedPart[] }

export type OmittedPart = 'usage' | 'finish_reason' | 'done'

const chunks = z.int().nonnegative()
const realMs = z.number().nonnegative()

const AFTER_EXPECTED = "expected 'accept', 'headers' or { chunks: n }"

const conditionSchema = z.strictObject({
  model: z.string().optional(),
  textIncludes: z.string().min(1).optional(),
  match: z
    .custom<NonNullable<FaultCondition['match']>>((value) => typeof value === 'function', {
      error: 'expected a function',
    })
    .optional(),
  nth: z.union([z.int().min(1), z.array(z.int().min(1))]).optional(),
  every: z.int().min(1).optional(),
  probability: z.number().min(0).max(1).optional(),
})

const actionSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('status'),
    status: z.int().min(200).max(599),
    body: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
    retryAfter: z.number().nonnegative().optional(),
    headers: z.record(z.string(), z.string()).optional(),
  }),
  z.strictObject({
    kind: z.literal('stall'),
    after: z.union([z.enum(['accept', 'headers']), z.strictObject({ chunks })], { error: AFTER_EXPECTED }),
    forMs: realMs.optional(),
  }),
  z.strictObject({ kind: z.literal('cut'), afterChunks: chunks, how: z.enum(['end', 'close', 'reset']).default('end') }),
  z.strictObject({
    kind: z.literal('stream-error'),
    afterChunks: chunks,
    message: z.string().default('The simulated model failed while it was writing.'),
  }),
  z.strictObject({ kind: z.literal('garbage'), afterChunks: chunks, data: z.string().min(1) }),
  z.strictObject({ kind: z.literal('malformed-arguments') }),
  z.strictObject({ kind: z.literal('slow-accept'), ms: realMs }),
  z.strictObject({ kind: z.literal('empty') }),
  z.strictObject({ kind: z.literal('omit'), parts: z.array(z.enum(['usage', 'finish_reason', 'done'])).min(1) }),
])

export const faultSchema = z.strictObject({ when: conditionSchema.default({}), do: actionSchema })

/** A fault with its defaults filled in. */
export type Fault = z.output<typeof faultSchema>
export type FaultDoing = Fault['do']
