import { describe, expect, test } from 'vitest'
import { type AnswerFlaw, type AnswerStyle, type Piece, planGeneration } from './generation.ts'
import type { GenerationRequest } from './generation-request.ts'
import { TokenSequence } from './tokens.ts'

const STYLE: AnswerStyle = {
  seed: 1,
  contextTokens: 10_000,
  outputTokens: { min: 20, max: 40 },
  toolCallRate: 0,
  toolCallsPerAnswer: 1,
}
const TOOLS = [
  { name: 'search', parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] } },
  { name: 'now' },
  { name: 'add', parameters: { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] } },
]

function request(fields: Partial<GenerationRequest> = {}, prompt = 'Hello'): GenerationRequest {
  const tokens = new TokenSequence(16)
  tokens.text(prompt)
  return {
    model: 'm',
    prompt: tokens,
    includesText: () => false,
    tools: [],
    toolChoice: 'none',
    parallelToolCalls: true,
    minTokens: 0,
    ignoreEos: false,
    seed: 0,
    stream: true,
    streamUsage: true,
    ...fields,
  }
}

/** The whole answer. */
function generate(fields: Partial<GenerationRequest> = {}, style: Partial<AnswerStyle> = {}, prompt?: string, flaw?: AnswerFlaw) {
  let ids = 0
  const plan = planGeneration(request(fields, prompt), { ...STYLE, ...style }, () => `id${ids++}`, flaw)
  const pieces: Piece[] = []
  for (let i = 0; i < plan.tokens; i++) {
    const piece = plan.pieces.next().value
    if (piece !== undefined) pieces.push(piece)
  }
  const textOf = (kind: Piece['kind'], index?: number) =>
    pieces
      .map((piece) =>
        piece.kind === kind && 'text' in piece && (index === undefined || ('index' in piece && piece.index === index))
          ? piece.text
          : '',
      )
      .join('')
  const calls = pieces.flatMap((piece) =>
    piece.kind === 'tool_call' ? [{ name: piece.name, id: piece.id, arguments: textOf('arguments', piece.index) }] : [],
  )
  return { ...plan, written: pieces.length, text: textOf('text'), reasoning: textOf('reasoning'), calls }
}

describe('the length of an answer', () => {
  test('is what was asked for', () => {
    for (const maxTokens of [1, 2, 3, 17, 500]) {
      const answer = generate({ maxTokens })
      expect([answer.tokens, answer.written, answer.finishReason]).toEqual([maxTokens, maxTokens, 'length'])
      expect(Math.ceil(answer.text.length / 4)).toBe(maxTokens)
    }
  })

  test('is drawn where nothing was asked for, and then the answer ends by itself', () => {
    const lengths = Array.from({ length: 300 }, (_, i) => generate({}, {}, `prompt ${i}`))
    expect(Math.min(...lengths.map((answer) => answer.tokens))).toBe(20)
    expect(Math.max(...lengths.map((answer) => answer.tokens))).toBe(40)
    expect(new Set(lengths.map((answer) => answer.finishReason))).toEqual(new Set(['stop']))
    expect(generate({}, { outputTokens: 7 }).tokens).toBe(7)
  })

  test('is at least the least that was asked for', () => {
    expect(generate({ minTokens: 99 }).tokens).toBe(99)
    expect(generate({ minTokens: 5, maxTokens: 9 }).tokens).toBe(9)
  })

  test('does not exceed the context', () => {
    const answer = generate({ minTokens: 500 }, { contextTokens: 102 }, 'x'.repeat(8))
    expect([answer.tokens, answer.finishReason]).toEqual([100, 'length'])
  })
})

test('the same request gets the same answer, a different one another', () => {
  expect(generate({ maxTokens: 50 }).text).toBe(generate({ maxTokens: 50 }).text)
  const different = [
    generate({ maxTokens: 50 }),
    generate({ maxTokens: 50 }, {}, 'Hallo'),
    generate({ maxTokens: 50, seed: 1 }),
    generate({ maxTokens: 50 }, { seed: 2 }),
  ]
  expect(new Set(different.map((answer) => answer.text)).size).toBe(4)
})

test('text has no space to lose at its ends, however long it is', () => {
  for (let maxTokens = 1; maxTokens < 60; maxTokens++) {
    const { text } = generate({ maxTokens })
    expect(text.trim()).toBe(text)
  }
})

describe('reasoning', () => {
  test('comes first and counts as output', () => {
    const answer = generate({ maxTokens: 30 }, { reasoning: { tokens: 12 } })
    expect([answer.tokens, answer.reasoningTokens, answer.reasoning.length, answer.text.length]).toEqual([30, 12, 48, 72])
  })

  test('leaves a token for the answer', () => {
    const answer = generate({ maxTokens: 4 }, { reasoning: { tokens: 12 } })
    expect([answer.reasoningTokens, answer.text.length]).toEqual([3, 4])
  })

  test('adds to a drawn length', () => {
    expect(generate({}, { reasoning: { tokens: 12 }, outputTokens: 7 }).tokens).toBe(19)
  })

  test('makes room for a tool call', () => {
    const roomy = generate({ tools: TOOLS, toolChoice: { name: 'now' }, maxTokens: 100 }, { reasoning: { tokens: 12 } })
    const tight = generate({ tools: TOOLS, toolChoice: { name: 'now' }, maxTokens: 5 }, { reasoning: { tokens: 12 } })
    expect([roomy.reasoningTokens, tight.reasoningTokens]).toEqual([12, 3])
    expect([tight.finishReason, tight.calls[0]?.arguments]).toEqual(['tool_calls', '{}'])
  })
})

describe('tool calls', () => {
  test('are made when they must be, of the function that was named', () => {
    const answer = generate({ tools: TOOLS, toolChoice: { name: 'add' } })
    expect(answer.calls).toMatchObject([{ name: 'add', id: 'id0' }])
    expect(JSON.parse(answer.calls[0]?.arguments ?? '')).toEqual({ a: expect.any(Number) })
    expect([answer.finishReason, answer.text, answer.written]).toEqual(['tool_calls', '', answer.tokens])
  })

  test('take none but the tools offered', () => {
    const names = Array.from(
      { length: 100 },
      (_, i) => generate({ tools: TOOLS, toolChoice: 'required' }, {}, `p${i}`).calls[0]?.name,
    )
    expect(new Set(names)).toEqual(new Set(['search', 'now', 'add']))
  })

  test('are not made when they must not be, whatever the rate', () => {
    expect(generate({ tools: TOOLS, toolChoice: 'none' }, { toolCallRate: 1 }).calls).toEqual([])
  })

  test('are made at the rate set when the model may choose', () => {
    const count = (toolCallRate: number) =>
      Array.from({ length: 500 }, (_, i) =>
        generate({ tools: TOOLS, toolChoice: 'auto' }, { toolCallRate, outputTokens: 1 }, `p${i}`),
      ).filter((answer) => answer.calls.length > 0).length
    expect([count(0), count(1)]).toEqual([0, 500])
    expect(Math.abs(count(0.3) - 150)).toBeLessThan(40)
  })

  test('are several where allowed, of different functions first, each with its own id', () => {
    const answer = generate({ tools: TOOLS, toolChoice: 'required' }, { toolCallsPerAnswer: 3 })
    expect(new Set(answer.calls.map((call) => call.name)).size).toBe(3)
    expect(new Set(answer.calls.map((call) => call.id)).size).toBe(3)
    expect(
      generate({ tools: TOOLS, toolChoice: 'required', parallelToolCalls: false }, { toolCallsPerAnswer: 3 }).calls,
    ).toHaveLength(1)
    expect(generate({ tools: TOOLS, toolChoice: { name: 'now' } }, { toolCallsPerAnswer: 3 }).calls).toHaveLength(1)
  })

  test('that must last longer are preceded by text', () => {
    for (const fields of [{ minTokens: 40 }, { maxTokens: 40, ignoreEos: true }]) {
      const answer = generate({ tools: TOOLS, toolChoice: { name: 'now' }, ...fields })
      expect([answer.tokens, answer.finishReason, answer.calls.length]).toEqual([40, 'tool_calls', 1])
      expect(answer.text).toHaveLength(38 * 4)
    }
  })

  test('get terse when there is little room, and are cut when there is too little', () => {
    const parameters = { type: 'object', properties: { a: { const: 'x'.repeat(100) }, b: { type: 'boolean' } }, required: ['b'] }
    const of = (maxTokens: number) =>
      Array.from({ length: 20 }, (_, i) =>
        generate({ tools: [{ name: 'f', parameters }], toolChoice: 'required', maxTokens }, {}, `p${i}`),
      )
    expect(of(200).some((answer) => answer.tokens > 20)).toBe(true)
    expect(of(10).every((answer) => answer.finishReason === 'tool_calls' && answer.tokens <= 10)).toBe(true)
    expect(of(2).every((answer) => answer.finishReason === 'length' && answer.tokens === 2)).toBe(true)
  })

  test('can be malformed on purpose', () => {
    for (const tool of TOOLS) {
      const answer = generate({ tools: TOOLS, toolChoice: { name: tool.name } }, {}, 'p', 'malformed-arguments')
      expect(() => JSON.parse(answer.calls[0]?.arguments ?? '{}')).toThrow()
      expect(answer.finishReason).toBe('tool_calls')
      expect(answer.written).toBe(answer.tokens)
    }
  })
})

test('text that must meet a schema does', () => {
  const textSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false }
  const answer = generate({ textSchema, maxTokens: 200 })
  expect(JSON.parse(answer.text)).toEqual({ n: expect.any(Number) })
  expect([answer.finishReason, answer.written]).toEqual(['stop', answer.tokens])
})

test('an answer can be empty on purpose', () => {
  expect(generate({ maxTokens: 9 }, {}, 'p', 'empty')).toMatchObject({ tokens: 0, text: '', calls: [], finishReason: 'stop' })
})
