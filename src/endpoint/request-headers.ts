import { TraceReplayError } from '../base/index.ts'

/** Set by the connection itself, or of no use to a request whose body is ready. */
const RESERVED = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
/** Field values in latin1, without control characters but the tab. */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/**
 * Headers as a person wrote them, with lower-case names.
 *
 * @throws {TraceReplayError} `INVALID_OPTION`; names the header, never shows its value
 */
export function checkHeaders(value: unknown, where: string): Record<string, string> {
  const fail = (problem: string): never => {
    throw new TraceReplayError('INVALID_OPTION', `${where}: ${problem}`)
  }
  const checked: Record<string, string> = Object.create(null)
  if (value === undefined) return checked
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return fail("expected an object of header names and values, such as { 'x-team': 'agents' }.")
  }
  for (const [written, content] of Object.entries(value)) {
    const name = checkHeaderName(written, where)
    if (name in checked) fail(`\`${written}\` is given twice (header names know no case).`)
    if (typeof content !== 'string') fail(`\`${written}\` is not text.`)
    if (!FIELD_VALUE.test(content)) fail(`\`${written}\` holds characters that cannot stand in a header.`)
    checked[name] = content
  }
  return checked
}

/**
 * The name of a header as a person wrote it, in lower case.
 *
 * @throws {TraceReplayError} `INVALID_OPTION`
 */
export function checkHeaderName(written: string, where: string): string {
  const name = written.toLowerCase()
  if (!TOKEN.test(name))
    throw new TraceReplayError('INVALID_OPTION', `${where}: ${JSON.stringify(written)} is not a header name.`)
  if (RESERVED.has(name)) {
    throw new TraceReplayError('INVALID_OPTION', `${where}: \`${written}\` is set by the connection and cannot be given.`)
  }
  return name
}

/** Names and values in turn, as the connection takes them; a later header replaces an earlier one of its name. */
export function mergeHeaders(...layers: readonly Readonly<Record<string, string>>[]): string[] {
  const merged = new Map<string, string>()
  for (const layer of layers) for (const [name, value] of Object.entries(layer)) merged.set(name.toLowerCase(), value)
  return [...merged].flat()
}
