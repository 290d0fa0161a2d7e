import type { Measured, SessionCounts, SloVerdict } from '../metrics/index.ts'
import { renderCriticalPath } from './critical-path-text.ts'
import { renderErrorGroups } from './error-groups-text.ts'
import { formatCount, formatFigure } from './figures.ts'
import { renderServerLoad } from './server-load-text.ts'
import { renderSessionBreakdowns } from './session-breakdowns.ts'
import { holds, marginText, markOf, observedText, sloText } from './slo-text.ts'
import { DEFAULT_WIDTH, plain, type RenderOptions, type Styler } from './styler.ts'
import { printable, truncate, wrap } from './terminal-text.ts'

/** An assertion that failed. */
export interface SloFailure {
  /** Name of the run, and of the stage where one is judged. */
  readonly scenario: string
  readonly measured: Measured
  /** All of the one assertion, in its order, those that held included. */
  readonly verdicts: readonly SloVerdict[]
  /** Asked with `.not`. @default false */
  readonly inverted?: boolean
  /** What explains the figures, before the worst sessions. */
  readonly leading?: readonly Section[]
  /** What explains them in place of the worst sessions. */
  readonly sections?: readonly Section[]
  /** Why there is no verdict, where there is none. It then stands in place of what was observed. */
  readonly ungradable?: string
}

export interface Section {
  readonly title: string
  readonly lines: readonly string[]
}

const WORST_SESSIONS = 3

/**
 * The body of a failing matcher's message, to stand under its hint: what the SLO was, what was observed over how many, what
 * the reader must know about the figure, the worst sessions and where their time went, the errors.
 */
export function renderSloFailure(failure: SloFailure, { width = DEFAULT_WIDTH, styler = plain }: RenderOptions = {}): string {
  const sections = [
    headLines(failure, width, styler),
    noteLines(failure, width),
    ...(failure.inverted === true && failure.ungradable === undefined
      ? []
      : [...explainingLines(failure, width, styler), serverLines(failure, width, styler), errorLines(failure, width, styler)]),
  ]
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')
}

function headLines(failure: SloFailure, width: number, styler: Styler): string[] {
  const { scenario, verdicts, inverted = false, ungradable } = failure
  const several = verdicts.length > 1
  const received = verdicts.map((verdict) => {
    const ok = holds({ verdict, inverted })
    const text = `${verdict.label} ${observedText(verdict)}, ${marginText(verdict)}`
    const styled = verdict.inconclusive === true ? styler.warn(text) : ok ? styler.good(text) : styler.bad(text)
    return `${several ? `${markOf({ verdict, inverted })} ` : ''}${styled}`
  })
  return [
    ...labelled('Scenario:', wrap(printable(scenario), width - LABEL_WIDTH)),
    ...labelled(
      'Expected:',
      verdicts.map((verdict) => `${several ? '  ' : ''}${styler.good(sloText({ verdict, inverted }))}`),
    ),
    ...labelled(
      'Received:',
      ungradable === undefined
        ? received
        : wrap(`not gradable: ${printable(ungradable)}`, width - LABEL_WIDTH).map((line) => styler.bad(line)),
    ),
  ]
}

const LABEL_WIDTH = 'Scenario: '.length

function labelled(label: string, lines: readonly string[]): string[] {
  return lines.map((line, index) => (index === 0 ? label : '').padEnd(LABEL_WIDTH) + line)
}

function noteLines({ measured, verdicts }: SloFailure, width: number): string[] {
  const notes = verdicts.flatMap(({ note }) => (note === undefined ? [] : [printable(note)]))
  return [countsNote(measured), ...failureNotes(measured, verdicts), ...new Set(notes)].flatMap((note) => wrap(note, width))
}

function countsNote({ sessionCounts, requestCounts }: Measured): string {
  const { total, succeeded, failed, cutOff } = sessionCounts
  const states = [
    `${formatCount(succeeded)} succeeded`,
    ...(failed > 0 ? [`${formatCount(failed)} failed`] : []),
    ...(cutOff > 0 ? [`${formatCount(cutOff)} cut off`] : []),
  ]
  const outcome = total === 0 ? '' : ` (${states.join(', ')})`
  return `Measured over ${plural(total, 'session')}${outcome} and ${plural(requestCounts.total, 'request')}.`
}

/** Where failures lifted a latency, or were left out of it, the reader needs to know. */
function failureNotes({ sessionCounts, requestCounts }: Measured, verdicts: readonly SloVerdict[]): string[] {
  const latencies = verdicts.filter(({ unit }) => unit === 'ms' || unit === 'tokens')
  const ofSessions = latencies.filter(({ sampled = 'sessions' }) => sampled === 'sessions')
  // Gaps are those of requests: it is requests that fail.
  const ofRequests = latencies.filter(({ sampled = 'sessions' }) => sampled !== 'sessions')
  return [...failureNote(sessionCounts, 'session', ofSessions), ...failureNote(requestCounts, 'request', ofRequests)]
}

function failureNote({ total, succeeded }: SessionCounts, noun: string, latencies: readonly SloVerdict[]): string[] {
  const failures = total - succeeded
  if (latencies.length === 0 || failures === 0) return []
  const subject = `${formatCount(failures)} of ${plural(total, noun)} did not succeed`
  if (latencies.every(({ over }) => over === 'successful')) return [`${subject} and ${failures === 1 ? 'is' : 'are'} left out.`]
  const alone = latencies.flatMap(({ label, successful, unit }) =>
    successful === undefined ? [] : [`${label} ${formatFigure(successful, unit)}`],
  )
  const rank = latencies.every(({ unit }) => unit === 'tokens') ? 'infinitely many tokens' : 'infinitely slow'
  const ranks = `${subject} and ${failures === 1 ? 'ranks' : 'rank'} as ${rank}.`
  return [alone.length === 0 ? ranks : `${ranks} The successful alone: ${alone.join(', ')}.`]
}

function explainingLines(failure: SloFailure, width: number, styler: Styler): string[][] {
  const { leading = [], sections } = failure
  const render = ({ title, lines }: Section) => [
    styler.bold(title),
    // A name that is a single long word cannot be wrapped.
    ...lines.flatMap((line) => wrap(printable(line), width - 4)).map((line) => `  ${truncate(line, width - 2)}`),
  ]
  const rest = sections?.map(render) ?? [pathLines(failure, width, styler), sessionLines(failure, width, styler)]
  return [...leading.map(render), ...rest]
}

/** What the latency of whole sessions consists of, where it is one of them that was too long. */
function pathLines({ measured, verdicts }: SloFailure, width: number, styler: Styler): string[] {
  const broken = verdicts.find(
    ({ pass, unit, sampled = 'sessions', observed }) =>
      !pass && unit === 'ms' && sampled === 'sessions' && observed !== null && Number.isFinite(observed),
  )
  return broken === undefined ? [] : renderCriticalPath(measured, broken, width, styler)
}

/** Sessions that explain the figure: the failed ones where failures set it, else the slowest of the others. */
function sessionLines({ measured, verdicts }: SloFailure, width: number, styler: Styler): string[] {
  const broken = verdicts.filter((verdict) => !verdict.pass)
  const { total, succeeded } = measured.sessionCounts
  const byFailures =
    succeeded < total &&
    broken.some(({ unit, observed }) => unit === 'rate' || observed === null || observed === Number.POSITIVE_INFINITY)
  const count = byFailures ? Math.min(WORST_SESSIONS, total - succeeded) : WORST_SESSIONS
  const sessions = measured.worstSessions(count, byFailures ? 'all' : 'successful')
  if (sessions.length === 0) return []
  return [
    styler.bold(byFailures ? 'Sessions that did not succeed' : 'Slowest sessions'),
    ...renderSessionBreakdowns(sessions, width - 2, styler).map((line) => `  ${line}`),
  ]
}

function serverLines({ measured: { serverLoad }, ungradable }: SloFailure, width: number, styler: Styler): string[] {
  const lines = serverLoad === undefined || ungradable !== undefined ? [] : renderServerLoad(serverLoad, width - 4)
  return lines.length === 0 ? [] : [styler.bold('The server meanwhile'), ...lines.map((line) => `  ${line}`)]
}

function errorLines({ measured }: SloFailure, width: number, styler: Styler): string[] {
  if (measured.errors.length === 0) return []
  return [styler.bold('Errors'), ...renderErrorGroups(measured.errors, width - 2, styler).map((line) => `  ${line}`)]
}

function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
}
