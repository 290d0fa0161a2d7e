import { z } from 'zod'
import { type Clock, checkOptions } from '../base/index.ts'
import { type FaultOptions, faultSchema } from './fault-options.ts'

/** How the embedded inference server listens, what it writes, and how fast. Everything has a default. */
export interface SimulatorOptions {
  /** Address to listen on. @default '127.0.0.1' */
  readonly host?: string
  /** Port to listen on; `0` takes a free one. @default 0 */
  readonly port?: number
  /** Model names it serves; a request for another is answered 404 `model_not_found`. @default any name is served */
  readonly models?: readonly string[]
  /** When set, `/v1` wants `Authorization: Bearer <apiKey>` or `x-api-key: <apiKey>`, and answers 401 otherwise. @default none */
  readonly apiKey?: string
  /** Everything drawn (text, lengths, tool calls, faults) follows from this and the request's content. @default 1 */
  readonly seed?: number

  /** Requests that run at once; more wait in a queue, first come, first served. @default 64 */
  readonly maxBatch?: number
  /** Prompt tokens processed per second, less cached ones; prompts are processed one after the other. @default 100_000 */
  readonly prefillTokensPerSecond?: number
  /** Time of one decode step with a single request in the batch, in milliseconds. A step writes one token for each request. @default 4 */
  readonly decodeStepMs?: number
  /** How much longer a step takes for each further request: `decodeStepMs × (1 + this × (batch − 1))`. @default 0.01 */
  readonly decodeSlowdownPerRequest?: number
  /** Simulated time over real time: `10` is ten times faster; `Infinity` answers at once. Durations of faults are real time. @default 1 */
  readonly speed?: number

  /** Prompts are cached in blocks of this many tokens; only whole blocks hit. @default 16 */
  readonly cacheBlockTokens?: number
  /** Capacity of the prefix cache in tokens; the least recently used blocks make room. `0` switches it off. @default 2_000_000 */
  readonly cacheTokens?: number
  /** Longest prompt plus output; a request beyond it is answered 400 `context_length_exceeded`. @default 1_000_000 */
  readonly contextTokens?: number

  /** Output length where the request names none (`max_tokens`, `min_tokens`): fixed, or drawn evenly. @default { min: 32, max: 256 } */
  readonly outputTokens?: number | { readonly min: number; readonly max: number }
  /** Tokens in one chunk of a stream. @default 1 */
  readonly tokensPerChunk?: number
  /** Share of requests with tools and `tool_choice: 'auto'` that are answered with tool calls, 0 to 1. @default 0 */
  readonly toolCallRate?: number
  /** Tool calls in one answer, where the request allows several (`tool_choice` 'auto' or 'required'): fixed, or drawn evenly. @default 1 */
  readonly toolCallsPerAnswer?: number | { readonly min: number; readonly max: number }
  /** Lets the model think before it answers. @default none */
  readonly reasoning?: ReasoningOptions

  /** What goes wrong, and when. For each request the first fault whose `when` holds is done. @default [] */
  readonly faults?: readonly FaultOptions[]

  /** How many requests {@link Simulator.requests} keeps, the latest; `0` keeps none. @default 1_000 */
  readonly recordRequests?: number
  /** Bytes of bodies the record keeps; beyond it the oldest records lose their body. @default 33_554_432 */
  readonly recordBodyBytes?: number
  /** Longest request body; a longer one is answered 413. @default 67_108_864 */
  readonly maxBodyBytes?: number
  /** Time, for tests that own it. @default the system's */
  readonly clock?: Clock
}

/** Reasoning tokens are written first and count as output; at least one token of the asked length is left for the answer. */
export interface ReasoningOptions {
  readonly tokens: number
  /** The field that carries it: vLLM's newer and OpenRouter's `reasoning`, or DeepSeek's and SGLang's `reasoning_content`. @default 'reasoning' */
  readonly field?: 'reasoning' | 'reasoning_content'
}

const count = z.int().min(1)

const countOrRange = z.union([
  count,
  z
    .strictObject({ min: count, max: count })
    .refine((range) => range.min <= range.max, { error: '`min` must not be greater than `max`' }),
])

const optionsSchema = z.strictObject({
  host: z.string().min(1).default('127.0.0.1'),
  port: z.int().min(0).max(65_535).default(0),
  models: z.array(z.string().min(1)).min(1).optional(),
  apiKey: z.string().min(1).optional(),
  seed: z.int().default(1),
  maxBatch: count.default(64),
  prefillTokensPerSecond: z.number().positive().default(100_000),
  decodeStepMs: z.number().nonnegative().default(4),
  decodeSlowdownPerRequest: z.number().nonnegative().default(0.01),
  speed: z
    .custom<number>((value) => typeof value === 'number' && value > 0, {
      error: 'expected a number above 0; Infinity answers at once',
    })
    .default(1),
  cacheBlockTokens: count.default(16),
  cacheTokens: z.int().nonnegative().default(2_000_000),
  contextTokens: count.default(1_000_000),
  outputTokens: countOrRange.default({ min: 32, max: 256 }),
  tokensPerChunk: count.default(1),
  toolCallRate: z.number().min(0).max(1).default(0),
  toolCallsPerAnswer: countOrRange.default(1),
  reasoning: z.strictObject({ tokens: count, field: z.enum(['reasoning', 'reasoning_content']).default('reasoning') }).optional(),
  faults: z.array(faultSchema).default([]),
  recordRequests: z.int().nonnegative().default(1_000),
  recordBodyBytes: z
    .int()
    .nonnegative()
    .default(32 * 1024 * 1024),
  maxBodyBytes: count.default(64 * 1024 * 1024),
  clock: z.custom<Clock>(isClock, { error: 'expected a clock with `now()` and `after(delayMs, run)`' }).optional(),
})

function isClock(value: unknown): boolean {
  const clock = value as Partial<Clock> | null
  return typeof clock === 'object' && typeof clock?.now === 'function' && typeof clock.after === 'function'
}

/** Options with every default filled in. */
export type SimulatorSettings = z.output<typeof optionsSchema>

// The interface above carries the documentation, the schema the checks; neither may know an option the other does not.
const sameKeys: [keyof SimulatorOptions, keyof SimulatorSettings] extends [keyof SimulatorSettings, keyof SimulatorOptions]
  ? true
  : never = true
void sameKeys

/** @throws {TraceReplayError} `INVALID_OPTION` */
export function readOptions(options: SimulatorOptions): SimulatorSettings {
  return checkOptions(optionsSchema, options, 'startSimulator options')
}
