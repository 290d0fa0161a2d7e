import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { TraceReplayError } from '../base/index.ts'
import { registerCapture } from './capture.ts'
import { registerInspect } from './inspect.ts'
import type { CliOutput } from './output.ts'
import { registerPublish } from './publish.ts'
import { registerReport } from './report.ts'
import { registerSimulate } from './simulate.ts'

/**
 * Runs one command line.
 *
 * @param args what stands behind the program's name
 * @returns the exit code: 0 when done, 1 when the command failed, 2 when it was not understood
 */
export async function runCli(args: readonly string[], output: CliOutput): Promise<number> {
  const program = createProgram(output)
  try {
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    // Commander has said what is wrong, or printed the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (!(error instanceof TraceReplayError)) throw error
    output.stderr.write(`${error.message}\n`)
    return 1
  }
}

function createProgram(output: CliOutput): Command {
  // Settings come before the commands: they inherit what is set by then.
  const program = new Command('vitest-trace-replay')
    .description('Recorded traces of AI agents as performance tests.')
    .version(packageVersion(), '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    // Also beside the longest option, the text stays within 80 columns.
    .configureHelp({ minWidthToWrap: 30 })
    .showHelpAfterError('(--help shows what can be said)')
    .configureOutput({
      writeOut: (text) => output.stdout.write(text),
      writeErr: (text) => output.stderr.write(text),
    })
    .exitOverride()
  registerInspect(program, output)
  registerCapture(program, output)
  registerPublish(program, output)
  registerSimulate(program)
  registerReport(program, output)
  return program
}

function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : 'unknown'
}
