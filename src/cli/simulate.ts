import { type Command, InvalidArgumentError } from 'commander'
import { type Simulator, type SimulatorOptions, startSimulator } from '../simulator/index.ts'

const LOAD_LINE_INTERVAL_MS = 250

/** Where the command writes. */
export interface SimulateOutput {
  /** What was started, for people and scripts. */
  readonly stdout: { write(text: string): unknown }
  /** The live line, where there is a terminal. */
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean }
}

/** Adds `simulate` to the command line. */
export function registerSimulate(program: Command): void {
  program
    .command('simulate')
    .description('Start an OpenAI- and Anthropic-compatible inference server without a model. It proves a test, not a server.')
    .option('--port <port>', 'port to listen on, 0 for a free one', number, 8_000)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--model <name...>', 'model names to serve (default: any)')
    .option('--api-key <key>', 'refuse requests without this key')
    .option('--seed <number>', 'everything drawn follows from it', number)
    .option('--max-batch <requests>', 'requests that run at once (default: 64)', number)
    .option('--prefill-tokens-per-second <tokens>', 'speed of prompt processing (default: 100000)', number)
    .option('--decode-step-ms <ms>', 'time of one output token, with one request (default: 4)', number)
    .option('--decode-slowdown-per-request <factor>', 'longer step for each further request (default: 0.01)', number)
    .option('--speed <factor>', 'simulated time over real time (default: 1)', number)
    .option('--cache-tokens <tokens>', 'capacity of the prefix cache, 0 for none (default: 2000000)', number)
    .option('--context-tokens <tokens>', 'longest prompt plus output (default: 1000000)', number)
    .option('--output-tokens <tokens>', 'output length where the request names none (default: drawn, 32 to 256)', number)
    .option('--tokens-per-chunk <tokens>', 'tokens in one chunk of a stream (default: 1)', number)
    .option(
      '--tool-call-rate <share>',
      "share of requests with tools and tool_choice 'auto' that get tool calls (default: 0)",
      number,
    )
    .option('--reasoning-tokens <tokens>', 'tokens of reasoning before each answer (default: none)', number)
    .action(async (flags: SimulateFlags) => {
      const interrupt = new AbortController()
      const stop = () => interrupt.abort()
      process.once('SIGINT', stop).once('SIGTERM', stop)
      try {
        await runSimulate(optionsOf(flags), process, interrupt.signal)
      } finally {
        process.off('SIGINT', stop).off('SIGTERM', stop)
      }
    })
}

/**
 * Runs a simulator until `signal` aborts.
 *
 * @throws {TraceReplayError} `INVALID_OPTION`, `SIMULATOR`
 */
export async function runSimulate(options: SimulatorOptions, output: SimulateOutput, signal: AbortSignal): Promise<void> {
  const simulator = await startSimulator({ ...options, recordRequests: 0 })
  output.stdout.write(greeting(simulator.url, options))
  const live = output.stderr.isTTY === true
  const timer = live ? setInterval(() => output.stderr.write(`\r\x1b[K${loadLine(simulator)}`), LOAD_LINE_INTERVAL_MS) : undefined
  try {
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  } finally {
    clearInterval(timer)
    if (live) output.stderr.write('\r\x1b[K')
    await simulator.close()
  }
}

interface SimulateFlags extends Omit<SimulatorOptions, 'models' | 'reasoning'> {
  readonly model?: readonly string[]
  readonly reasoningTokens?: number
}

function optionsOf({ model, reasoningTokens, ...options }: SimulateFlags): SimulatorOptions {
  return {
    ...options,
    ...(model === undefined ? {} : { models: model }),
    ...(reasoningTokens === undefined ? {} : { reasoning: { tokens: reasoningTokens } }),
  }
}

function number(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || Number.isNaN(value)) throw new InvalidArgumentError('Expected a number.')
  return value
}

/** Never holds the key itself: what a terminal shows ends up in logs. */
function greeting(url: string, { apiKey, models }: SimulatorOptions): string {
  const body = { model: models?.[0] ?? 'simulator', stream: true, max_tokens: 32, messages: [{ role: 'user', content: 'Hello' }] }
  const key = apiKey === undefined ? '' : ' -H "authorization: Bearer $API_KEY"'
  return `Simulated inference server at ${url}

  curl -N ${url}/v1/chat/completions -H 'content-type: application/json'${key} -d '${JSON.stringify(body)}'

`
}

function loadLine({ load, received }: Simulator): string {
  return `${received} received · ${load.running} running · ${load.queued} queued`
}
