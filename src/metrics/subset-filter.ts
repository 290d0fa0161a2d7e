import { inspect } from 'node:util'
import { nearest, TraceReplayError } from '../base/index.ts'
import type { RequestRecord, SessionRecord } from './records.ts'
import type { RequestList } from './request-list.ts'

/** Which part of a run; all given conditions must hold. Text stands for the whole of a name. */
export interface SubsetFilter {
  /** Requests that asked for this model. */
  readonly model?: string | RegExp
  /**
   * Requests of calls with this name, the recorded span's, or of the agent with this name; or with these values under the
   * labels that the options took from the spans: `{ tenant: 'acme' }`.
   */
  readonly label?: string | RegExp | Readonly<Record<string, string | RegExp>>
  /** Sessions with this id (a repetition is `x#2`), or that the function takes. */
  readonly session?: string | RegExp | ((session: SessionRecord) => boolean)
}

/** A filter as one would write it: `{ model: 'm', label: /plan/ }`. */
export function describeFilter(filter: SubsetFilter): string {
  const parts = Object.entries(filter).flatMap(([name, value]) => {
    if (value === undefined) return []
    return [`${name}: ${typeof value === 'function' ? '…' : inspect(value)}`]
  })
  return `{ ${parts.join(', ')} }`
}

type Named = Pick<RequestRecord, 'model' | 'name' | 'agent' | 'labels'>

export function matchesCall({ model, label }: SubsetFilter, call: Named): boolean {
  return (model === undefined || matches(model, call.model)) && (label === undefined || matchesLabel(label, call))
}

function matchesLabel(label: NonNullable<SubsetFilter['label']>, { name, agent, labels = {} }: Named): boolean {
  if (isText(label)) return matches(label, name) || (agent !== undefined && matches(label, agent))
  return Object.entries(label).every(([key, wanted]) => {
    const found = Object.hasOwn(labels, key) ? labels[key] : undefined
    return found !== undefined && matches(wanted, found)
  })
}

/** Stands for the whole of a name, or searches it. */
export function isText(value: unknown): value is string | RegExp {
  return typeof value === 'string' || value instanceof RegExp
}

export function matchesSession(wanted: SubsetFilter['session'], session: SessionRecord): boolean {
  if (wanted === undefined) return true
  return typeof wanted === 'function' ? wanted(session) : matches(wanted, session.id)
}

function matches(wanted: string | RegExp, found: string): boolean {
  // Searched, not tested: a global expression remembers where it last stood.
  return typeof wanted === 'string' ? wanted === found : found.search(wanted) >= 0
}

const MOST_NAMES = 6

/** Completes "not gradable: …". */
export function nothingMatches(filter: SubsetFilter, requests: RequestList): string {
  const known = (of: (request: RequestRecord) => readonly string[]) => {
    const names = [...new Set(requests.flatMap(of))]
    const shown = names.slice(0, MOST_NAMES).map((name) => `'${name}'`)
    return `${shown.join(', ')}${names.length > MOST_NAMES ? `, + ${names.length - MOST_NAMES} more` : ''}`
  }
  const there = [
    ...(filter.model === undefined ? [] : [`models ${known(({ model }) => [model])}`]),
    ...(filter.label === undefined ? [] : [labelsThere(filter.label, requests, known)]),
    ...(filter.session === undefined ? [] : [`sessions ${known(({ session }) => [session])}`]),
  ]
  return `no request matches ${describeFilter(filter)}. The run has ${there.join('; ')}`
}

function labelsThere(
  label: NonNullable<SubsetFilter['label']>,
  requests: RequestList,
  known: (of: (request: RequestRecord) => readonly string[]) => string,
): string {
  const [name] = isText(label) ? [] : Object.keys(label)
  if (name === undefined || requests.some(({ labels }) => labels !== undefined)) return `labels ${known(labelsOf(label))}`
  // Labels of one's own have to be asked for.
  return `no labels: name the span attribute in the option \`labels\`, such as { ${name}: '${name}' }`
}

function labelsOf(label: NonNullable<SubsetFilter['label']>): (request: RequestRecord) => readonly string[] {
  if (isText(label)) return ({ name, agent }) => (agent === undefined ? [name] : [name, agent])
  return ({ labels = {} }) => Object.entries(labels).map(([key, value]) => `${key}: ${value}`)
}

const CONDITIONS = ['model', 'label', 'session']
const OTHER_FORMS: Readonly<Record<string, string>> = {
  session: ', or a function',
  label: ", or an object of them such as { tenant: 'acme' }",
}

/** @throws {TraceReplayError} `INVALID_OPTION` */
export function checkFilter(filter: unknown): void {
  if (typeof filter !== 'object' || filter === null) {
    throw misuse(`where takes an object of conditions, not ${inspect(filter)}: \`run.where({ label: 'plan' })\`.`)
  }
  const given = Object.entries(filter).filter(([, value]) => value !== undefined)
  if (given.length === 0) throw misuse(`where has no condition. Give at least one of ${CONDITIONS.join(', ')}.`)
  for (const [name, value] of given) {
    if (!CONDITIONS.includes(name)) {
      const close = nearest(name, CONDITIONS)
      throw misuse(
        `where: unknown condition \`${name}\`.${close === undefined ? ` Known: ${CONDITIONS.join(', ')}.` : ` Did you mean \`${close}\`?`}`,
      )
    }
    const isCondition =
      isText(value) || (name === 'session' && typeof value === 'function') || (name === 'label' && isRecordOfText(value))
    if (!isCondition) {
      throw misuse(`where: \`${name}\` is ${inspect(value)}, expected text or a regular expression${OTHER_FORMS[name] ?? ''}.`)
    }
  }
}

function isRecordOfText(value: unknown): boolean {
  const isObject = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  return isObject && Object.keys(value).length > 0 && Object.values(value).every(isText)
}

function misuse(message: string): TraceReplayError {
  return new TraceReplayError('INVALID_OPTION', message)
}
