import { type Command, InvalidArgumentError } from 'commander'
import { type CaptureOptions, type Received, startCapture } from '../capture/index.ts'
import { inspect } from './inspect.ts'
import type { CliOutput } from './output.ts'

interface CaptureFlags {
  readonly out: string
  readonly port: number
  readonly host: string
  readonly redact?: true
}

/** Adds `capture` to the command line. */
export function registerCapture(program: Command, output: CliOutput): void {
  program
    .command('capture')
    .description('Receive traces over OTLP/HTTP while agents run, and write one replayable file per session.')
    .requiredOption('--out <directory>', 'where the files go')
    .option('--port <port>', 'port to listen on, 0 for a free one', port, 4_318)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--redact', 'replace texts by filler of the same shape; equal texts stay equal, so the graph survives')
    .action(async (flags: CaptureFlags) => {
      const interrupt = new AbortController()
      const stop = () => interrupt.abort()
      process.once('SIGINT', stop).once('SIGTERM', stop)
      try {
        await runCapture(flags, output, interrupt.signal)
      } finally {
        process.off('SIGINT', stop).off('SIGTERM', stop)
      }
    })
}

/**
 * Captures until `signal` aborts, then shows what was captured and what it lacks.
 *
 * @throws {TraceReplayError} `CAPTURE`
 */
export async function runCapture(options: CaptureOptions, output: CliOutput, signal: AbortSignal): Promise<void> {
  const totals = { spans: 0, logs: 0 }
  const onReceived = (received: Received) => {
    if (received.state === 'refused') {
      output.stderr.write(`refused an export request: ${received.reason}\n`)
      return
    }
    totals.spans += received.spans
    totals.logs += received.logs
    output.stderr.write(`${totals.spans} spans, ${totals.logs} log records received\n`)
  }
  const capture = await startCapture({ ...options, onReceived })
  output.stdout.write(greeting(capture.url, options.out))
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  await capture.close()
  if (capture.files.length === 0) {
    output.stdout.write('Nothing was received.\n')
    return
  }
  output.stdout.write(`${capture.files.length} ${capture.files.length === 1 ? 'file' : 'files'} written.\n\n`)
  await inspect(capture.files, { form: 'text', onInvalidTrace: 'skip', cwd: process.cwd() }, output)
}

function greeting(url: string, out: string): string {
  return `Writing sessions to ${out}. Run your agent with

  OTEL_EXPORTER_OTLP_ENDPOINT=${url}

and the capture of message content turned on. Ctrl-C ends the capture.
`
}

function port(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 0 || value > 65_535) throw new InvalidArgumentError('Expected a port, 0 to 65535.')
  return value
}
