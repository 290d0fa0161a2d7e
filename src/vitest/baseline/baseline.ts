import { formatDuration, nearest, TraceReplayError } from '../../base/index.ts'
import type { PolicyRecord, StageRecord } from '../../metrics/index.ts'
import { formatCount } from '../../report/index.ts'
import { placeOf } from '../matchers/judge.ts'
import { type Receiver, recordOf } from '../matchers/receiver.ts'
import { BASELINE_FIGURES } from './baseline-figures.ts'
import { parseTolerance, type Tolerance } from './tolerance.ts'

/** What a snapshot file keeps of a run, or of a part of one: what it was of, and its figures. */
export interface Baseline {
  /** What must be the same for figures to be comparable, and the machine, which should be. */
  readonly identity: ReadonlyMap<IdentityLine, string>
  readonly figures: ReadonlyMap<string, BaselineValue>
}

export interface BaselineValue {
  /** `Infinity` where failures set it. */
  readonly value: number
  /** As written. */
  readonly tolerance: string
}

const IDENTITY_LINES = ['workload', 'stages', 'replay', 'target', 'part', 'machine'] as const
export type IdentityLine = (typeof IDENTITY_LINES)[number]

/** Figures are kept to so many significant digits: more would be noise in a review. */
const DIGITS = 4
/** Stands for a latency that failures set. */
const INFINITE = 'infinite'

export function captureBaseline(receiver: Receiver): Baseline {
  const { workload, target, stages, sessions, client, policy } = recordOf(receiver)
  const { stage, where } = placeOf(receiver)
  const part = [stage === undefined ? '' : `stage ${stage + 1}`, where === undefined ? '' : `where ${where}`].filter(
    (text) => text !== '',
  )
  const identity = new Map<IdentityLine, string>([
    ['workload', `${workload.hash} (${countOf(workload.recordedSessions, 'recorded session')} of ${oneLine(workload.name)})`],
    [
      'stages',
      stages
        .map((record) => describeStage(record, sessions.filter((session) => session.stage === record.index).length))
        .join('; '),
    ],
    ...(policy === undefined ? [] : [['replay', describePolicy(policy)] as const]),
    ['target', oneLine(`${target.kind} ${target.model}`)],
    ...(part.length === 0 ? [] : [['part', oneLine(part.join(' '))] as const]),
    ...(client.machine === undefined ? [] : [['machine', oneLine(client.machine)] as const]),
  ])
  const figures = new Map<string, BaselineValue>()
  for (const { name, tolerance, read } of BASELINE_FIGURES) {
    const value = read(receiver)
    if (value !== undefined) figures.set(name, { value, tolerance })
  }
  return { identity, figures }
}

function describePolicy({ timeScale, maxWaitMs, substitute, stream, isolateCache }: PolicyRecord): string {
  const waits = `timeScale ${timeScale}, maxWait ${formatDuration(maxWaitMs)}`
  return `${waits}, substitute ${substitute}, stream ${stream}, isolateCache ${isolateCache}`
}

function describeStage({ warmup, concurrentSessions, sessionRate, asked }: StageRecord, started: number): string {
  const { sessions = started, durationMs = null } = asked ?? {}
  const amount = [
    ...(durationMs === null ? [] : [`for ${formatDuration(durationMs)}`]),
    ...(sessions === null ? (durationMs === null ? [countOf(started, 'session')] : []) : [countOf(sessions, 'session')]),
  ]
  const { ramp, arrivals } = asked ?? {}
  const load = [
    ramp === undefined
      ? `${concurrentSessions === 0 ? 'all' : formatCount(concurrentSessions)} at once`
      : `${formatCount(ramp.from)} to ${formatCount(ramp.to)} at once over ${formatDuration(ramp.overMs)}`,
    ...(sessionRate === null ? [] : [`${sessionRate} a second${arrivals === 'poisson' ? ' at random' : ''}`]),
    ...amount,
  ]
  return `${warmup ? 'warm-up ' : ''}${load.join(', ')}`
}

/** One line each, in an order that never changes. */
export function renderBaseline({ identity, figures }: Baseline): string {
  const lines = [...identity].map(([name, text]) => `${name}: ${text}`)
  for (const [name, { value, tolerance }] of figures) {
    const number = Number.isFinite(value) ? String(Number(value.toPrecision(DIGITS))) : INFINITE
    lines.push(`${name}: ${number} ${tolerance}`)
  }
  return `\n${lines.join('\n')}\n`
}

/** @throws {TraceReplayError} `INVALID_OPTION`, naming the line */
export function parseBaseline(text: string): Baseline {
  const identity = new Map<IdentityLine, string>()
  const figures = new Map<string, BaselineValue>()
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '') continue
    const [, name = '', rest = ''] = /^([a-z0-9_]+):\s*(.*)$/.exec(line) ?? []
    if (isIdentityLine(name)) {
      identity.set(name, rest)
      continue
    }
    const [number = '', tolerance = '', ...more] = rest.split(/\s+/)
    const value = number === INFINITE ? Number.POSITIVE_INFINITY : Number(number)
    if (!BASELINE_FIGURES.some((figure) => figure.name === name))
      throw misread(line, `${name === '' ? 'there is' : `'${name}' is`} no figure that a baseline holds.${meant(name)}`)
    if (number === '' || Number.isNaN(value)) throw misread(line, `'${number}' is no number.`)
    if (value < 0) throw misread(line, `no figure is below 0, as ${number} is.`)
    if (parseTolerance(tolerance) === undefined) {
      throw misread(
        line,
        `'${tolerance}' is no tolerance: write +10%, -5%, ±10%, or the same without % in the figure's own unit.`,
      )
    }
    if (more.length > 0) throw misread(line, `'${more.join(' ')}' has no place behind the tolerance.`)
    if (figures.has(name)) throw misread(line, `'${name}' stands there twice.`)
    figures.set(name, { value, tolerance })
  }
  return { identity, figures }
}

export function toleranceOf({ tolerance }: BaselineValue): Tolerance {
  return parseTolerance(tolerance) ?? {}
}

function isIdentityLine(name: string): name is IdentityLine {
  return (IDENTITY_LINES as readonly string[]).includes(name)
}

function meant(name: string): string {
  const close = nearest(name, [...BASELINE_FIGURES.map((figure) => figure.name), ...IDENTITY_LINES])
  return close === undefined ? '' : ` Did you mean '${close}'?`
}

function misread(line: string, reason: string): TraceReplayError {
  return new TraceReplayError(
    'INVALID_OPTION',
    `toMatchBaseline: the stored baseline cannot be read at the line "${line}": ${reason} Mend the line, or delete the whole entry to take a new baseline.`,
  )
}

function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** Names come from outside; a line break in one would become a line of its own. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}`\\]+/gu, ' ').trim()
}
