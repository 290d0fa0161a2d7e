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
      - \`stages[1].sessions\` is '3', expected number.
      - \`target.url\` is missing, expected string."
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
