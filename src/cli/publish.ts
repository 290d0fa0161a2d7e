import { readFileSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import { TraceReplayError, type Warning } from '../base/index.ts'
import { readSessions, type TraceFile } from '../trace/index.ts'
import { findTraceFiles, formatBytes, type LocalTraceFile, Publication, type PublicationPlan } from '../workload/index.ts'
import type { CliOutput } from './output.ts'

export interface PublishOptions {
  readonly to: string
  readonly branch: string
  readonly isPublic: boolean
  readonly isDryRun: boolean
  /** Overwrites without asking. */
  readonly yes: boolean
  /** Uploads what cannot be replayed too. */
  readonly force: boolean
  readonly token?: string
  readonly hubUrl?: string
  /** What the directory is relative to. */
  readonly cwd: string
  readonly signal?: AbortSignal
  /** Asks a person; `undefined` where there is none to ask. */
  readonly ask: ((question: string) => Promise<string>) | undefined
}

interface PublishFlags {
  readonly to: string
  readonly branch: string
  readonly public?: true
  readonly dryRun?: true
  readonly yes?: true
  readonly force?: true
  readonly token?: string
  readonly hubUrl?: string
}

/** Adds `publish` to the command line. */
export function registerPublish(program: Command, output: CliOutput): void {
  program
    .command('publish')
    .description(
      'Upload the traces in a directory as a data set of the Hugging Face Hub. It is private unless you say otherwise.',
    )
    .argument('<directory>', 'where the trace files are')
    .requiredOption('--to <owner/name>', 'the data set; created when it is missing')
    .option('--branch <name>', 'the branch to upload to; created when it is missing', 'main')
    .option('--public', 'let everybody read the traces')
    .option('--dry-run', 'show what would happen, change nothing')
    .option('--yes', 'overwrite files without asking')
    .option('--force', 'upload files that cannot be replayed too')
    .option('--hub-url <url>', 'the hub (default: HF_ENDPOINT, else https://huggingface.co)')
    .option('--token <token>', 'an access token that may write (default: HF_TOKEN, which other programs cannot see)')
    .action(async (directory: string, flags: PublishFlags) => {
      const { public: isPublic = false, dryRun: isDryRun = false, yes = false, force = false, ...rest } = flags
      const interrupt = new AbortController()
      const stop = () => interrupt.abort(new TraceReplayError('HUB', 'Interrupted. What was committed before stays.'))
      process.once('SIGINT', stop).once('SIGTERM', stop)
      try {
        const ask = process.stdin.isTTY === true ? askOnTerminal : undefined
        const options = { ...rest, isPublic, isDryRun, yes, force, cwd: process.cwd(), signal: interrupt.signal, ask }
        await publish(directory, options, output)
      } finally {
        process.off('SIGINT', stop).off('SIGTERM', stop)
      }
    })
}

/**
 * Checks the traces in a directory and uploads them.
 *
 * @throws {TraceReplayError} `NO_TRACE_FILES`; `INVALID_TRACE` for traces that cannot be replayed; `INVALID_OPTION`; `HUB`
 */
export async function publish(directory: string, options: PublishOptions, output: CliOutput): Promise<void> {
  const { to, branch, isPublic, isDryRun, force, token, hubUrl, cwd, signal } = options
  const files = await traceFilesIn(directory, cwd)
  const checked = checkTraces(files, force, output)
  const publication = await Publication.prepare({
    dataset: to,
    branch,
    isPublic,
    files,
    ...(token === undefined ? {} : { token }),
    ...(hubUrl === undefined ? {} : { hubUrl }),
    ...(signal === undefined ? {} : { signal }),
  })
  try {
    const { plan } = publication
    output.stdout.write(planText(plan, checked, isPublic))
    if (isDryRun) {
      output.stdout.write('Nothing was changed: this was a dry run.\n')
      return
    }
    if (isDone(plan)) {
      output.stdout.write(`Everything is there already: ${publication.url}\n`)
      return
    }
    if (!(await mayOverwrite(plan, options))) {
      output.stdout.write('Nothing was changed.\n')
      return
    }
    const commit = await publication.run(checked, (done, all) => {
      output.stderr.write(`${done} of ${all} files uploaded\n`)
    })
    output.stdout.write(`\nPublished: ${publication.url}\n\n  huggingFace('${plan.dataset}', { revision: '${commit}' })\n`)
  } finally {
    await publication.close()
  }
}

async function traceFilesIn(directory: string, cwd: string): Promise<LocalTraceFile[]> {
  const root = resolve(cwd, directory)
  const found = await findTraceFiles([directory], cwd)
  return found.map(({ path, sizeBytes }) => {
    const below = relative(root, path)
    // Given a file instead of a directory there is nothing below it.
    return { path, sizeBytes, name: (below === '' ? relative(resolve(root, '..'), path) : below).split(sep).join('/') }
  })
}

interface Checked {
  readonly sessions: number
  readonly calls: number
}

/** Reads all traces as a replay would: what is refused there is refused here, before anything leaves the machine. */
function checkTraces(files: readonly LocalTraceFile[], force: boolean, output: CliOutput): Checked {
  const refused: Warning[] = []
  let [sessions, calls] = [0, 0]
  const warn = (warning: Warning) => {
    if (warning.code.endsWith('-skipped')) refused.push(warning)
  }
  for (const session of readSessions(readEach(files), { onInvalidTrace: 'skip', warn })) {
    sessions++
    calls += session.calls.length
  }
  if (refused.length > 0) {
    const list = refused.map(({ where = '', message }) => `  ${where}: ${message}`).join('\n')
    if (!force) {
      throw new TraceReplayError(
        'INVALID_TRACE',
        `Not all traces can be replayed, and nothing was uploaded:\n${list}\nRepair or remove them, or pass --force.`,
      )
    }
    output.stderr.write(`Uploaded although they cannot be replayed:\n${list}\n`)
  }
  return { sessions, calls }
}

function* readEach(files: readonly LocalTraceFile[]): Generator<TraceFile> {
  for (const { name, path } of files) yield { name, bytes: readFileSync(path) }
}

function isDone({ files, repository }: PublicationPlan): boolean {
  return repository !== 'missing' && files.every(({ state }) => state === 'unchanged')
}

async function mayOverwrite({ dataset, files }: PublicationPlan, { yes, ask }: PublishOptions): Promise<boolean> {
  const changed = files.filter(({ state }) => state === 'changed')
  if (changed.length === 0 || yes) return true
  const what = `${changed.length} ${changed.length === 1 ? 'file' : 'files'} of '${dataset}'`
  if (ask === undefined) {
    throw new TraceReplayError(
      'INVALID_OPTION',
      `This would overwrite ${what}, and there is no terminal to ask on. Pass --yes to overwrite.`,
    )
  }
  return /^y(?:es)?$/i.test((await ask(`Overwrite ${what}? [y/N] `)).trim())
}

async function askOnTerminal(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await terminal.question(question)
  } finally {
    terminal.close()
  }
}

function planText(
  { dataset, branch, repository, files, needsCard }: PublicationPlan,
  { sessions, calls }: Checked,
  isPublic: boolean,
): string {
  const where = branch === 'main' ? dataset : `${dataset}, branch ${branch}`
  const state = repository === 'missing' ? `to be created, ${isPublic ? 'public' : 'private'}` : `there, ${repository}`
  const lines = files.map(({ name, sizeBytes, state }) => `  ${MARKS[state]}  ${name}  ${formatBytes(sizeBytes)}`)
  if (needsCard) lines.push(`  ${MARKS.new}  README.md  the data set's card`)
  return `${where} (${state}): ${sessions} sessions, ${calls} LLM calls\n${lines.join('\n')}\n`
}

const MARKS = { new: 'new      ', changed: 'overwrite', unchanged: 'unchanged' }
