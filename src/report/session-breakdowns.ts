import { formatDuration } from '../base/index.ts'
import type { PathStep, SessionBreakdown, TimeSplit } from '../metrics/index.ts'
import { type HeadedColumn, layOutTable } from './columns.ts'
import { plain, type Styler } from './styler.ts'
import { printable, truncate, wrap } from './terminal-text.ts'

/** Parts of a latency in the order they are shown: what a column calls them, and how a sentence names the time in a call. */
const PARTS: readonly { readonly part: keyof TimeSplit; readonly head: string; readonly inCall: string }[] = [
  { part: 'prefillMs', head: 'queue + prefill', inCall: 'queue + prefill of' },
  { part: 'decodeMs', head: 'decode', inCall: 'decode of' },
  { part: 'waitMs', head: 'wait', inCall: 'recorded wait before' },
  { part: 'lagMs', head: 'client', inCall: 'client lag before' },
]

const COLUMNS: readonly HeadedColumn[] = [
  { group: '', head: '', align: 'left', gap: 0 },
  { group: '', head: 'latency', align: 'right', gap: 2 },
  ...PARTS.map(({ head }) => ({ group: '', head, align: 'right', gap: 2 }) as const),
]

const SESSION_WIDTH = 26

/** Sessions, how long each took and where the time went; under each what took longest, or what it failed of. */
export function renderSessionBreakdowns(sessions: readonly SessionBreakdown[], width: number, styler: Styler = plain): string[] {
  const rows = sessions.map(({ session, latencyMs, split, path }) => [
    truncate(printable(session), SESSION_WIDTH),
    formatDuration(latencyMs),
    ...PARTS.map(({ part }) => (path.length === 0 ? '' : formatDuration(split[part]))),
  ])
  const [, heads = '', ...lines] = layOutTable(COLUMNS, rows)
  return [
    styler.dim(heads),
    ...lines.flatMap((line, index) => {
      const session = sessions[index]
      const reason = session === undefined ? undefined : reasonText(session)
      return reason === undefined ? [line] : [line, ...wrap(reason, width - 2).map((text) => styler.dim(`  ${text}`))]
    }),
  ]
}

function reasonText({ state, error, path }: SessionBreakdown): string | undefined {
  if (state === 'succeeded') return largestPartText(path)
  const step = path.at(-1)
  const place = step === undefined ? '' : ` in ${callName(step)}, call ${path.length} on the critical path`
  if (state === 'cut-off') return `cut off${place}`
  return `failed${place}${error === null ? '' : `: ${printable(error.label)}`}`
}

function largestPartText(path: readonly PathStep[]): string | undefined {
  let largest: { readonly ms: number; readonly text: string } | undefined
  for (const [index, step] of path.entries()) {
    for (const { part, inCall } of PARTS) {
      if (largest !== undefined && step[part] <= largest.ms) continue
      const text = `${inCall} ${callName(step)}, call ${index + 1} of ${path.length} on the critical path`
      largest = { ms: step[part], text }
    }
  }
  return largest === undefined ? undefined : `longest: ${formatDuration(largest.ms)} ${largest.text}`
}

function callName({ name, call }: PathStep): string {
  return `'${truncate(printable(name === '' ? call : name), 40)}'`
}
