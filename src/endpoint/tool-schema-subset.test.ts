import { expect, test } from 'vitest'
import type { Warning } from '../base/index.ts'
import { toolsAcceptedBy } from './accepted-tools.ts'
import { serverDialects } from './server-dialect.ts'
import { withinGrammar } from './tool-schema-subset.ts'

function simplified(parameters: Record<string, unknown>) {
  const { tool, dropped } = withinGrammar({ name: 'f', parameters })
  return { parameters: tool.parameters, dropped }
}

test('leaves out what no grammar is made for, wherever a schema stands', () => {
  const item = (more: object) => ({ type: 'string', ...more })
  expect(
    simplified({
      type: 'object',
      properties: {
        a: { type: 'array', uniqueItems: true, items: item({ format: 'color' }) },
        b: { anyOf: [{ multipleOf: 2 }] },
      },
      patternProperties: { '^x': {} },
      additionalProperties: item({ pattern: '^(?=a)' }),
      $defs: { c: { contains: {} } },
    }),
  ).toEqual({
    parameters: {
      type: 'object',
      properties: { a: { type: 'array', items: item({}) }, b: { anyOf: [{}] } },
      additionalProperties: item({}),
      $defs: { c: {} },
    },
    dropped: [
      'uniqueItems',
      "format 'color'",
      'multipleOf',
      'patternProperties',
      'pattern (lookaround or back reference)',
      'contains',
    ],
  })
})

test('a property may have the name of a keyword, and a value of an enum its form', () => {
  const parameters = {
    type: 'object',
    properties: {
      uniqueItems: { type: 'boolean' },
      not: { enum: [{ multipleOf: 2 }] },
      at: { format: 'date-time', pattern: '^\\d+$' },
    },
    required: ['not'],
  }
  const tool = { name: 'f', parameters }
  expect(withinGrammar(tool).tool).toBe(tool)
})

test('a schema nested without end ends', () => {
  let schema: Record<string, unknown> = { multipleOf: 1 }
  for (let i = 0; i < 5_000; i++) schema = { items: schema }
  expect(() => simplified(schema)).not.toThrow()
})

test('says once what it changed, and only for servers that make grammars', () => {
  const warnings: Warning[] = []
  const tools = [{ name: 'f', parameters: { multipleOf: 2 } }]
  const accepted = toolsAcceptedBy(serverDialects.vllm, (warning) => warnings.push(warning))
  expect(accepted(tools)).toEqual([{ name: 'f', parameters: {} }])
  accepted([...tools])
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toMatchObject({
    code: 'tool-schema-simplified',
    where: 'tool f',
    message: expect.stringContaining('multipleOf'),
  })
  expect(toolsAcceptedBy(serverDialects.openai, () => expect.unreachable())(tools)).toBe(tools)
})
