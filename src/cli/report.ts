import { join } from 'node:path'
import type { Command } from 'commander'
import { readJournal } from '../journal/index.ts'
import { Run } from '../metrics/index.ts'
import { colourful, plain, printable, renderRunTable, summarizeRun, wrap } from '../report/index.ts'
import type { CliOutput } from './output.ts'

const RUNS_FOLDER = '.trace-replay'

/** As wide as the table. */
const WIDTH = 80

/** Adds `report` to the command line. */
export function registerReport(program: Command, output: CliOutput): void {
  program
    .command('report')
    .description('Print the table of a run from its journal, also of one whose process was killed.')
    .argument('[run]', `folder of the run, or its sessions.jsonl (default: the latest in ${RUNS_FOLDER})`)
    .option('--json', 'print the whole record as JSON')
    .action(async (path: string | undefined, { json = false }: { json?: boolean }) => {
      const record = await readJournal(join(path ?? RUNS_FOLDER))
      if (json) {
        output.stdout.write(`${JSON.stringify(record)}\n`)
        return
      }
      const styler = output.stdout.hasColors?.() === true ? colourful : plain
      output.stdout.write(`${renderRunTable([{ summary: summarizeRun(new Run(record)), verdicts: [] }], { styler })}\n`)
      for (const { message, count } of record.warnings) {
        const text = `${printable(message)}${count === undefined ? '' : ` (${count} times)`}`
        output.stdout.write(`\n${styler.warn('!')} ${wrap(text, WIDTH - 2).join('\n  ')}\n`)
      }
    })
}
