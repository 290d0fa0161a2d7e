import { drawInteger, type Random } from '../../base/index.ts'
import { words } from '../prose.ts'
import type { FlatSchema } from './flat-schema.ts'
import { textForPattern } from './pattern-text.ts'

/** A schema can ask for more than anyone should write. */
const LONGEST_STRING = 20_000

const FORMATS: Readonly<Record<string, (random: Random) => string>> = {
  'date-time': (random) => `${date(random)}T${time(random)}Z`,
  date,
  time: (random) => `${time(random)}Z`,
  duration: (random) => `PT${drawInteger(random, 1, 59)}M`,
  email: (random) => `${words(random, 1)}@example.com`,
  'idn-email': (random) => `${words(random, 1)}@example.com`,
  hostname: (random) => `${words(random, 1)}.example.com`,
  'idn-hostname': (random) => `${words(random, 1)}.example.com`,
  ipv4: (random) => `192.0.2.${drawInteger(random, 1, 254)}`,
  ipv6: (random) => `2001:db8::${hex(random, 4)}`,
  uri: (random) => `https://example.com/${words(random, 1)}`,
  'uri-reference': (random) => `/${words(random, 1)}`,
  iri: (random) => `https://example.com/${words(random, 1)}`,
  'iri-reference': (random) => `/${words(random, 1)}`,
  'uri-template': (random) => `https://example.com/${words(random, 1)}/{id}`,
  url: (random) => `https://example.com/${words(random, 1)}`,
  uuid: (random) => `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-a${hex(random, 3)}-${hex(random, 12)}`,
  'json-pointer': (random) => `/${words(random, 1)}`,
  'relative-json-pointer': (random) => `1/${words(random, 1)}`,
  regex: () => '^[a-z]+$',
  byte: (random) => Buffer.from(words(random, 2)).toString('base64'),
}

/** A string within the given lengths that matches the first pattern, else the format; `undefined` where that cannot be. */
export function stringForSchema(flat: FlatSchema, random: Random, size: 'typical' | 'minimal'): string | undefined {
  const { minLength, maxLength } = flat
  if (minLength > maxLength || minLength > LONGEST_STRING) return undefined
  const [pattern] = flat.patterns
  const matching = pattern === undefined ? undefined : textForPattern(pattern, random, minLength, maxLength)
  if (matching !== undefined) return matching
  const format = flat.format !== undefined && Object.hasOwn(FORMATS, flat.format) ? FORMATS[flat.format] : undefined
  const formatted = format?.(random)
  if (formatted !== undefined && formatted.length >= minLength && formatted.length <= maxLength) return formatted
  return wordsOfLength(random, minLength, maxLength, size === 'minimal' ? 1 : drawInteger(random, 1, 4))
}

function wordsOfLength(random: Random, minLength: number, maxLength: number, count: number): string {
  let text = words(random, count)
  while (text.length < minLength) text += ` ${words(random, 4)}`
  const most = Math.min(maxLength, Math.max(minLength, text.length))
  const cut = text.slice(0, most)
  // A space at either end would be lost to the first who trims.
  return cut.endsWith(' ') ? `${cut.slice(0, -1)}s` : cut
}

function date(random: Random): string {
  return `20${drawInteger(random, 20, 29)}-${twoDigits(drawInteger(random, 1, 12))}-${twoDigits(drawInteger(random, 1, 28))}`
}

function time(random: Random): string {
  return [drawInteger(random, 0, 23), drawInteger(random, 0, 59), drawInteger(random, 0, 59)].map(twoDigits).join(':')
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

function hex(random: Random, digits: number): string {
  let text = ''
  for (let i = 0; i < digits; i++) text += drawInteger(random, 0, 15).toString(16)
  return text
}
