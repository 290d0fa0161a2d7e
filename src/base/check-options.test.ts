import { expect, test } from 'vitest'
import { z } from 'zod'
import { checkOptions } from './check-options.ts'

const schema = z.strictObject({
  mode: z.enum(['live', 'recorded']).optional(),
  stages: z.array(
    z.strictObject({ sessions: z.int().positive().optional(), duration: z.union([z.number(), z.string()]).optional() }),
  ),
  target: z.strictObject({ url: z.string() }).optional(),
})

function message(value: unknown): string {
  try {
    checkOptions(schema, value, 'replay options')
  } catch (error) {
    expect(error).toMatchObject({ code: 'INVALID_OPTION' })
    return (error as Error).message
  }
  throw new Error('was accepted')
}

test('gives back what fits', () => {
  expect(checkOptions(schema, { stages: [{ sessions: 2 }] }, 'x')).toEqual({ stages: [{ sessions: 2 }] })
})

test('names an unknown option and the one that was meant', () => {
  expect(message({ stages: [], mod: 'live' })).toMatchInlineSnapshot(
    `"replay options: unknown option \`mod\`. Did you mean \`mode\`?"`,
  )
})

test('names an unknown option by its path, inside arrays and optional objects', () => {
  expect(message({ stages: [{}, { session: 3 }], target: { url: 'x', modle: 1 } })).toMatchInlineSnapshot(`
    "replay options:
      - unknown option \`stages[1].session\`. Did you mean \`sessions\`?
      - unknown option \`target.modle\`. Known: url."
  `)
})

test('names a value that is none of the choices', () => {
  expect(message({ stages: [], mode: 'recroded' })).toMatchInlineSnapshot(
    `"replay options: \`mode\` is 'recroded', expected 'live' | 'recorded'. Did you mean 'recorded'?"`,
  )
})

test.each([
  [undefined, 'missing'],
  [7, '7'],
  ['x', "'x'"],
])('tells what was found instead of the options themselves: %j', (value, found) => {
  expect(message(value)).toContain(found)
})

test('tells a missing, a mistyped and an impossible value apart', () => {
  expect(message({ stages: [{ sessions: 0 }, { sessions: '3' }], target: {} })).toMatchInlineSnapshot(`
    "replay options:
      - \`stages[0].sessions\` is 0, expected a number > 0.
      - \`stages[1].sessions\` is '3', expected a number.
      - \`target.url\` is missing, expected text."
  `)
})

test('a union that fits nowhere says what was found', () => {
  expect(message({ stages: [{ duration: true }] })).toContain('`stages[0].duration` is true')
})

test('a function, a cycle or a huge value does not break the message', () => {
  const cycle: Record<string, unknown> = {}
  cycle.self = cycle
  expect(message({ stages: () => {} })).toContain('a function')
  expect(message({ stages: cycle })).toContain('`stages` is an object')
  expect(message({ stages: 'y'.repeat(10_000) }).length).toBeLessThan(300)
  expect(message({ stages: 10n })).toContain('10')
})

test('what stands in an object is not printed: it may be a key', () => {
  expect(message({ stages: { apiKey: 'sk-secret' } })).not.toContain('secret')
})

test('knows the variants of a union and their options', () => {
  const union = z.strictObject({
    do: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('stall'), forMs: z.number().optional() }),
      z.strictObject({ kind: z.literal('cut'), afterChunks: z.number().optional() }),
    ]),
  })
  const problem = (value: unknown) => {
    try {
      return checkOptions(union, value, 'options')
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(problem({ do: { kind: 'stal' } })).toMatchInlineSnapshot(
    `"options: \`do.kind\` is 'stal', expected 'stall' | 'cut'. Did you mean 'stall'?"`,
  )
  expect(problem({ do: {} })).toMatchInlineSnapshot(`"options: \`do.kind\` is missing, expected 'stall' | 'cut'."`)
  expect(problem({ do: { kind: 'cut', afterChunk: 1 } })).toMatchInlineSnapshot(
    `"options: unknown option \`do.afterChunk\`. Did you mean \`afterChunks\`?"`,
  )
})

test('speaks of values as people do, not as the schema library does', () => {
  const whole = z.strictObject({
    list: z.array(z.string()).min(1).optional(),
    list2: z.array(z.string()).max(1).optional(),
    word: z.string().min(1).optional(),
    either: z.union([z.string(), z.array(z.string())]).optional(),
    share: z.number().optional(),
    seed: z.int().optional(),
    labels: z.record(z.string(), z.string()).optional(),
    on: z.boolean().optional(),
    range: z
      .strictObject({ from: z.number(), to: z.number() }, { error: 'expected a range such as { from: 1, to: 2 }' })
      .refine(({ from, to }) => from <= to, { error: '`from` must not be greater than `to`' })
      .optional(),
  })
  const problem = (value: unknown) => {
    try {
      return checkOptions(whole, value, 'options')
    } catch (error) {
      return (error as Error).message.replace('options: ', '')
    }
  }
  expect(problem({ list: [] })).toBe('`list` is an empty array, expected at least 1.')
  expect(problem({ list2: ['a', 'b'] })).toBe('`list2` is an array, expected at most 1.')
  expect(problem({ word: '' })).toBe("`word` is '', expected at least 1 character.")
  expect(problem({ either: 7 })).toBe('`either` is 7, expected text or an array.')
  expect(problem({ share: Number.POSITIVE_INFINITY })).toBe('`share` is Infinity, expected a finite number.')
  expect(problem({ share: Number.NaN })).toBe('`share` is NaN, expected a finite number.')
  expect(problem({ seed: 1.5 })).toBe('`seed` is 1.5, expected a whole number.')
  expect(problem({ labels: ['tenant'] })).toBe('`labels` is an array, expected an object.')
  expect(problem({ on: 'yes' })).toBe("`on` is 'yes', expected true or false.")
  expect(problem({ range: 5 })).toBe('`range` is 5, expected a range such as { from: 1, to: 2 }.')
  expect(problem({ range: { from: 3, to: 2 } })).toBe('`range`: `from` must not be greater than `to`.')
})
