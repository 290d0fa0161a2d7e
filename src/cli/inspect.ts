import { type Command, Option } from 'commander'
import type { Warning } from '../base/index.ts'
import { buildGraph, type ReplayGraph } from '../graph/index.ts'
import { colourful, plain } from '../report/index.ts'
import { readSessions, type TraceFile } from '../trace/index.ts'
import { findTraceFiles, readTraceFile } from '../workload/index.ts'
import { renderInspectJson } from './inspect-json.ts'
import { renderInspectMermaid } from './inspect-mermaid.ts'
import { renderInspectText, warningText } from './inspect-text.ts'
import type { CliOutput } from './output.ts'

export interface InspectOptions {
  readonly form: 'text' | 'json' | 'mermaid'
  readonly onInvalidTrace: 'fail' | 'skip'
  /** What relative paths are relative to. */
  readonly cwd: string
}

interface InspectFlags {
  readonly json?: true
  readonly mermaid?: true
  readonly onInvalidTrace: 'fail' | 'skip'
}

/** Adds `inspect` to the command line. */
export function registerInspect(program: Command, output: CliOutput): void {
  program
    .command('inspect')
    .description('Show what would be replayed: the sessions in trace files, their calls, and what each call waits for and why.')
    .argument('<file...>', 'trace files, directories or quoted globs; together they are one set of traces')
    .addOption(new Option('--json', 'print everything as JSON').conflicts('mermaid'))
    .addOption(new Option('--mermaid', 'print the graphs as a Mermaid flowchart'))
    .addOption(
      new Option('--on-invalid-trace <policy>', 'what to do with a trace that cannot be read')
        .choices(['fail', 'skip'])
        .default('fail'),
    )
    .action(async (patterns: string[], { json, mermaid, onInvalidTrace }: InspectFlags) => {
      const form = json ? 'json' : mermaid ? 'mermaid' : 'text'
      await inspect(patterns, { form, onInvalidTrace, cwd: process.cwd() }, output)
    })
}

/**
 * Prints the sessions found in trace files and their graphs.
 *
 * @param patterns paths, directories or globs
 * @throws {TraceReplayError} `NO_TRACE_FILES`, `UNREADABLE_TRACE`, `INVALID_TRACE`, `NO_LLM_CALLS`; nothing has been printed then
 */
export async function inspect(patterns: readonly string[], options: InspectOptions, output: CliOutput): Promise<void> {
  const files = await findTraceFiles(patterns, options.cwd)
  const warnings: Warning[] = []
  const sessions = readSessions(readEach(files), {
    warn: (warning) => warnings.push(warning),
    onInvalidTrace: options.onInvalidTrace,
  })
  const graphs: ReplayGraph[] = []
  for (const session of sessions) graphs.push(buildGraph(session))
  output.stdout.write(render(options.form, graphs, warnings, output.stdout.hasColors?.() === true))
  // The other two forms carry the warnings themselves.
  if (options.form === 'mermaid') for (const warning of warnings) output.stderr.write(`${warningText(warning)}\n`)
}

function render(form: InspectOptions['form'], graphs: readonly ReplayGraph[], warnings: readonly Warning[], colours: boolean) {
  switch (form) {
    case 'json':
      return renderInspectJson(graphs, warnings)
    case 'mermaid':
      return renderInspectMermaid(graphs)
    case 'text':
      return renderInspectText(graphs, warnings, { styler: colours ? colourful : plain })
  }
}

function* readEach(files: readonly { readonly path: string; readonly name: string }[]): Generator<TraceFile> {
  for (const { path, name } of files) yield { name, bytes: readTraceFile(path, name) }
}
