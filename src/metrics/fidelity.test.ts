import { expect, test } from 'vitest'
import { fidelity } from './fidelity.ts'
import type { RequestRecord } from './records.ts'
import { requestRecord, unsentRecord } from './run-record.fixture.ts'

const true1 = requestRecord({
  recordedInputTokens: 100,
  toolCalls: { matched: 1, missing: 0, extra: 0, renamed: 0, malformed: 0 },
})
const true2 = requestRecord({
  call: 'c2',
  continues: 'c1',
  inputTokens: 200,
  recordedInputTokens: 200,
  cachedInputTokens: 96,
  readyMs: 410,
  waitMs: 1_000,
  sentMs: 1_410,
  firstOutputMs: 1_500,
  endMs: 1_900,
  splices: { live: 1, diverged: 0, by: { context: { live: 1, diverged: 0 } } },
})

function partsWith(differs: Partial<RequestRecord>) {
  return fidelity([true1, { ...true2, ...differs }])
}

test('a replay like its recording is whole in every part', () => {
  const found = fidelity([true1, true2])
  expect(found.score).toBe(1)
  expect(found.parts).toEqual({
    callsSent: 1,
    liveHistory: 1,
    toolCalls: 1,
    outputLength: 1,
    promptLength: 1,
    waits: 1,
    punctuality: 1,
  })
  expect(found.cachedPrefix).toBeCloseTo(96 / 111)
  expect(found.promptTokensRatio).toBe(1)
})

test.each<[string, Partial<RequestRecord>, object]>([
  ['liveHistory', { splices: { live: 1, diverged: 3 } }, { liveHistory: 0.25 }],
  ['toolCalls', { toolCalls: { matched: 0, missing: 1, extra: 1, renamed: 1, malformed: 0 } }, { toolCalls: 0.25 }],
  ['outputLength, too short', { outputTokens: 5, plannedOutputTokens: 10 }, { outputLength: 5 / 10 }],
  ['outputLength, too long', { outputTokens: 20, plannedOutputTokens: 10 }, { outputLength: 10 / 20 }],
  ['waits', { uncappedWaitMs: 4_000 }, { waits: 0.25 }],
  ['punctuality', { sentMs: 2_410, endMs: 2_900 }, { punctuality: 1 - 1_000 / 2_900 }],
])('%s is the score when it is the weakest', (_, differs, parts) => {
  const found = partsWith(differs)
  expect(found.parts).toMatchObject(
    Object.fromEntries(Object.entries(parts).map(([part, share]) => [part, expect.closeTo(share)])),
  )
  expect(found.score).toBeCloseTo(Object.values(parts)[0] as number)
})

test('a tool call is as long as the model makes it: its length is told apart', () => {
  const found = fidelity([{ ...true1, outputTokens: 9, plannedOutputTokens: 30 }, true2])
  expect(found).toMatchObject({ score: 1, parts: { outputLength: 1 }, toolCallTokensRatio: 0.3 })
})

test('a tokenizer that counts otherwise throughout is no drift; one prompt that grew is', () => {
  const twice = (request: RequestRecord) => ({ ...request, inputTokens: (request.inputTokens ?? 0) * 2 })
  expect(fidelity([twice(true1), twice(true2)])).toMatchObject({ parts: { promptLength: 1 }, promptTokensRatio: 2 })
  expect(fidelity([true1, twice(true2)]).parts.promptLength).toBeLessThan(0.9)
})

test('what failed, and what was never sent, counts as calls; nothing else is asked of it', () => {
  const failed = requestRecord({ call: 'c3', state: 'failed', outputTokens: 0, plannedOutputTokens: 500 })
  const found = fidelity([requestRecord(), failed, unsentRecord({ call: 'c4' }), unsentRecord({ call: 'c5' })])
  expect(found.parts.callsSent).toBe(0.5)
  expect(found.parts.outputLength).toBe(1)
  expect(found.score).toBe(0.5)
})

test('where nothing tells, a part is left out; of nothing there is no score', () => {
  const bare = requestRecord({ plannedOutputTokens: null })
  expect(fidelity([bare]).parts).toEqual({
    callsSent: 1,
    liveHistory: undefined,
    toolCalls: undefined,
    outputLength: undefined,
    promptLength: undefined,
    waits: undefined,
    punctuality: 1,
  })
  expect(fidelity([]).score).toBeUndefined()
})

test('splices are summed by evidence', () => {
  const handed = requestRecord({
    splices: { live: 1, diverged: 1, by: { context: { live: 1, diverged: 0 }, 'hand-off': { live: 0, diverged: 1 } } },
  })
  expect(fidelity([true2, handed]).splices).toEqual({ context: { live: 2, diverged: 0 }, 'hand-off': { live: 0, diverged: 1 } })
})
