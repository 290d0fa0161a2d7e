import { expect, test } from 'vitest'
import type { ApiName, TargetKind } from '../endpoint/index.ts'
import type { Splice } from '../graph/index.ts'
import { startSimulator } from '../simulator/index.ts'
import { assistant, graphOf, text, toolCall, toolResult } from './graph.fixture.ts'
import { replay } from './replay.ts'
import { workloadOf } from './virtual-run.fixture.ts'

/** Instructions, two calls at once, their results, a forced call of one tool, and a last word. */
const tools = ['search', 'fetch'].map((name) => ({
  name,
  parameters: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
}))
const ASK = [text('system', 'Be brief.'), text('user', 'look up both')]
const FIRST = assistant(toolCall('rec_1', 'search', '{"q":"old"}'))
const AFTER_FIRST = [...ASK, FIRST, toolResult('rec_1', 'SEARCHED')]
const SECOND = assistant(toolCall('rec_2', 'fetch', '{"q":"old"}'))
const AFTER_SECOND = [...AFTER_FIRST, SECOND, toolResult('rec_2', 'FETCHED')]
const live = (from: string, message: number): Splice => ({ kind: 'message', from, message })
const AGENT = graphOf('agent', [
  { id: 'plan', messages: ASK, output: FIRST, tools },
  { id: 'act', messages: AFTER_FIRST, output: SECOND, tools, after: ['plan'], splices: [live('plan', 2)] },
  {
    id: 'answer',
    messages: AFTER_SECOND,
    output: text('assistant', 'done'),
    tools,
    after: ['act'],
    splices: [live('plan', 2), live('act', 4)],
  },
])

const targets: readonly [api: ApiName, kind: TargetKind][] = [
  ['chat', 'openai'],
  ['chat', 'vllm'],
  ['responses', 'openai'],
  ['responses', 'vllm'],
  ['messages', 'anthropic'],
  ['messages', 'vllm'],
  ['completions', 'simulator'],
]

test.each(targets.flatMap(([api, kind]) => [true, false].map((stream) => [api, kind, stream] as const)))(
  'a session by way of %s (%s), stream: %s: steered to its tools, with the live calls answered',
  async (api, kind, stream) => {
    const simulator = await startSimulator({ speed: Number.POSITIVE_INFINITY, apiKey: 'key' })
    try {
      const run = await replay({
        workload: workloadOf([AGENT]),
        target: { kind, api, url: simulator.url, apiKey: 'key', model: 'm' },
        stages: [{ concurrentSessions: 1 }],
        stream,
      })
      expect(run.record.requests.map(({ state, error }) => [state, error])).toEqual([
        ['succeeded', null],
        ['succeeded', null],
        ['succeeded', null],
      ])
      expect(run.record.requests.map(({ splices }) => splices)).toMatchObject([
        { live: 0, diverged: 0 },
        { live: 1, diverged: 0 },
        { live: 2, diverged: 0 },
      ])
      expect(
        run.record.requests.every((request) => request.tokensEstimated === false && request.cachedInputTokens !== null),
      ).toBe(true)
    } finally {
      await simulator.close()
    }
  },
)
