/** How far a figure may lie from its baseline: above it, below it, or both; not given, any distance will do. */
export interface Tolerance {
  readonly above?: Distance
  readonly below?: Distance
}

interface Distance {
  readonly amount: number
  readonly isPercent: boolean
}

const FORM = /^(\+|-|±|\+-|\+\/-)(\d+(?:\.\d+)?)(%?)$/

/** `'+10%'` may rise, `'-5%'` may fall, `'±10%'` neither further; without `%` in the figure's own unit. `undefined` for other text. */
export function parseTolerance(text: string): Tolerance | undefined {
  const [, sign, amount, percent] = FORM.exec(text) ?? []
  if (sign === undefined) return undefined
  const distance = { amount: Number(amount), isPercent: percent === '%' }
  if (sign === '+') return { above: distance }
  return sign === '-' ? { below: distance } : { above: distance, below: distance }
}

/** The lowest and highest value allowed around one. */
export function boundsAround(value: number, { above, below }: Tolerance): { readonly low?: number; readonly high?: number } {
  const size = ({ amount, isPercent }: Distance) => (isPercent ? (Math.abs(value) * amount) / 100 : amount)
  return {
    ...(below === undefined ? {} : { low: value - size(below) }),
    ...(above === undefined ? {} : { high: value + size(above) }),
  }
}
