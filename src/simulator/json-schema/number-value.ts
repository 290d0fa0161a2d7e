import { drawInteger, type Random } from '../../base/index.ts'
import type { FlatSchema } from './flat-schema.ts'
import { meetsNumber } from './schema-check.ts'

const SMALL_RANGE = 100
const ATTEMPTS = 40

/** A number within the bounds, small where they allow it; `undefined` where none was found. */
export function numberForSchema(flat: FlatSchema, random: Random, whole: boolean): number | undefined {
  const [low, high] = smallRange(flat.minimum, flat.maximum)
  const step = stepOf(flat, whole)
  for (let i = 0; i < ATTEMPTS; i++) {
    const value = step === undefined ? fraction(random, low, high, i) : multiple(random, low, high, step, i)
    if (meetsNumber(value, flat) && (!whole || Number.isInteger(value))) return value
  }
  return undefined
}

/** The part of the bounds numbers are taken from. */
function smallRange(minimum: number, maximum: number): readonly [low: number, high: number] {
  const low = minimum > Number.NEGATIVE_INFINITY ? minimum : maximum < 1 ? maximum - SMALL_RANGE : 1
  const start = low < 1 && maximum > 1 ? 1 : low
  return [start, Math.min(maximum, start + SMALL_RANGE)]
}

/** What the number must be a multiple of. */
function stepOf(flat: FlatSchema, whole: boolean): number | undefined {
  const steps = whole ? [1, ...flat.multiplesOf] : flat.multiplesOf
  return steps.length === 0 ? undefined : steps.reduce(commonMultiple)
}

function commonMultiple(a: number, b: number): number {
  for (let times = 1; times <= 1_000; times++) {
    const candidate = clean(a * times, a)
    if (Number.isInteger(candidate / b)) return candidate
  }
  return a * b
}

function multiple(random: Random, low: number, high: number, step: number, attempt: number): number {
  const first = Math.ceil(low / step)
  const last = Math.floor(high / step)
  // The range of small numbers may hold no multiple of a large step, or only an excluded bound.
  const times =
    last < first ? first + attempt : attempt < ATTEMPTS / 2 ? drawInteger(random, first, last) : first + (attempt - ATTEMPTS / 2)
  return clean(times * step, step)
}

function fraction(random: Random, low: number, high: number, attempt: number): number {
  const drawn = low + random() * (high - low)
  const rounded = Number(drawn.toFixed(2))
  return attempt < ATTEMPTS / 2 && rounded > low && rounded < high ? rounded : drawn
}

/** Without the tail that binary fractions leave: 3 × 0.1 is 0.3. */
function clean(value: number, step: number): number {
  const decimals = /\.(\d+)$/.exec(String(step))?.[1]?.length
  return decimals === undefined ? value : Number(value.toFixed(decimals))
}
