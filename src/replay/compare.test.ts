import { describe, expect, test } from 'vitest'
import { manualClock } from '../base/manual-clock.fixture.ts'
import { type EndpointRequest, resolveTarget } from '../endpoint/index.ts'
import { startSimulator } from '../simulator/index.ts'
import { type CompareOptions, compare, compareTargets } from './compare.ts'
import { chain } from './graph.fixture.ts'
import { planReplay } from './options-schema.ts'
import { drive, failing, type ScriptedAnswer, scriptedEndpoint, workloadOf } from './virtual-run.fixture.ts'

interface Answers {
  readonly base?: (request: EndpointRequest, n: number) => ScriptedAnswer
  readonly head?: (request: EndpointRequest, n: number) => ScriptedAnswer
}

const corpus = Array.from({ length: 16 }, (_, index) => chain(`s${index}`, 2))

async function virtualComparison(
  options: Partial<Omit<CompareOptions, 'targets'>> = {},
  { base = () => ({}), head = () => ({}) }: Answers = {},
) {
  const clock = manualClock()
  const { schedule = 'interleaved', ...rest } = options
  const plan = planReplay({ workload: workloadOf(corpus), stages: [{ concurrentSessions: 2 }], journal: false, ...rest })
  const target = resolveTarget({ kind: 'vllm', url: 'http://127.0.0.1:9' }, {})
  const servers = { base: scriptedEndpoint(clock, base), head: scriptedEndpoint(clock, head) }
  const comparison = compareTargets(plan, schedule, {
    base: { target, clock, createEndpoint: () => servers.base.endpoint },
    head: { target, clock, createEndpoint: () => servers.head.endpoint, cacheMarker: 'head' },
  })
  await drive(clock, comparison)
  return { ...(await comparison), servers, clock }
}

/** Which side was busy, turn by turn. */
function turns(servers: Awaited<ReturnType<typeof virtualComparison>>['servers']): string {
  const sent = (['base', 'head'] as const).flatMap((side) => servers[side].sent.map(({ sentMs }) => ({ side, sentMs })))
  const order = sent.toSorted((a, b) => a.sentMs - b.sentMs).map(({ side }) => (side === 'base' ? 'A' : 'B'))
  return order.filter((side, index) => side !== order[index - 1]).join('')
}

describe('interleaved', () => {
  test('the sides take turns: A, B, B, A, …', async () => {
    const { servers } = await virtualComparison()
    // Four blocks of four sessions: AB BA AB BA, neighbours of one side as one.
    expect(turns(servers)).toBe('ABABA')
    const busyAtMs = new Set(servers.base.sent.map(({ sentMs }) => sentMs))
    expect(servers.head.sent.filter(({ sentMs }) => busyAtMs.has(sentMs))).toEqual([])
  })

  test('both replay the same sessions, in the same order, at the same concurrency', async () => {
    const { base, head, servers } = await virtualComparison()
    expect(base.sessions.map(({ id }) => id)).toEqual(head.sessions.map(({ id }) => id))
    expect(base.sessions).toHaveLength(16)
    expect(base.workload.hash).toBe(head.workload.hash)
    expect([servers.base.peak(), servers.head.peak()]).toEqual([2, 2])
  })

  test("the time of a side stands still in the other's turns", async () => {
    const { base, head, clock } = await virtualComparison({}, { head: () => ({ latencyMs: 300 }) })
    // 16 sessions of 2 calls, two at once.
    expect(base.durationMs).toBe(1_600)
    expect(head.durationMs).toBe(4_800)
    expect(clock.now()).toBe(6_400)
    expect(base.stages).toMatchObject([{ index: 0, startMs: 0, endMs: 1_600, concurrentSessions: 2 }])
    expect(Math.max(...base.sessions.map(({ endMs }) => endMs))).toBe(1_600)
  })

  test('several stages, the last of which takes what is left, and a warm-up in one go', async () => {
    const stages = [
      { concurrentSessions: 2, sessions: 4, warmup: true },
      { concurrentSessions: 1, sessions: 4 },
      { concurrentSessions: 2 },
    ]
    const { base, head } = await virtualComparison({ stages })
    for (const { sessions, stages } of [base, head]) {
      expect([0, 1, 2].map((index) => sessions.filter(({ stage }) => stage === index).length)).toEqual([4, 4, 8])
      expect(stages.map(({ index, warmup }) => [index, warmup])).toEqual([
        [0, true],
        [1, false],
        [2, false],
      ])
    }
  })

  test("each turn is a stage to who watches, and a stage's timeout is shared out", async () => {
    const seen = new Set<string>()
    const { base } = await virtualComparison(
      { stages: [{ concurrentSessions: 2, timeout: 1_000 }], onProgress: ({ stage, stages }) => seen.add(`${stage}/${stages}`) },
      { base: () => ({ latencyMs: 400 }) },
    )
    expect([...seen].at(-1)).toBe('7/8')
    // A quarter of a second for each block of four.
    expect(base.sessions.every(({ state }) => state === 'cut-off')).toBe(true)
    expect(base.stages[0]?.neverStarted).toBeGreaterThan(0)
  })
})

test('simultaneous: both at once', async () => {
  const { base, head, clock } = await virtualComparison({ schedule: 'simultaneous' }, { head: () => ({ latencyMs: 150 }) })
  expect(base.durationMs).toBe(1_600)
  expect(head.durationMs).toBe(2_400)
  expect(clock.now()).toBe(2_400)
})

test('a marker sets the sessions of one side apart in a cache that both use', async () => {
  const { servers } = await virtualComparison()
  const first = (side: 'base' | 'head') => JSON.stringify(servers[side].sent[0]?.request.messages[0])
  expect(first('head')).toContain('[head]')
  expect(first('base')).not.toContain('base')
})

test.each(['interleaved', 'simultaneous'] as const)(
  '%s: a side that cannot be used ends both, and is named',
  async (schedule) => {
    const refusing = { head: () => ({ result: failing('connect_refused'), latencyMs: 1 }) }
    await expect(virtualComparison({ schedule }, refusing)).rejects.toThrow(/^head: The target cannot be used/)
  },
)

test('an aborted comparison gives what there is', async () => {
  const controller = new AbortController()
  const abort = () => {
    controller.abort(new Error('enough'))
    return {}
  }
  const { base, head } = await virtualComparison({ signal: controller.signal }, { head: abort })
  expect([base.aborted, head.aborted]).toEqual(['enough', 'enough'])
  expect(base.sessions).not.toHaveLength(0)
})

describe('misuse', () => {
  const target = { kind: 'vllm', url: 'http://127.0.0.1:9' } as const
  const options = { workload: workloadOf(corpus), stages: [{ concurrentSessions: 1 }], targets: { base: target, head: target } }

  test.each<[string, object, string]>([
    ['no targets', { targets: undefined }, 'compare options: `targets.base` is missing'],
    ['no head', { targets: { base: target } }, '`targets.head` is missing'],
    ['a target', { target }, '`target` is not for comparisons. Give both sides: `targets: { base, head }`.'],
    ['a simulator', { simulator: {} }, '`simulator` is not for comparisons'],
    ['a schedule', { schedule: 'ABBA' }, "`schedule` is 'ABBA', expected 'interleaved' | 'simultaneous'."],
    ['a kind', { targets: { base: target, head: { ...target, kind: 'vlm' } } }, 'targets.head: target: `kind` is'],
    ['a duration', { stages: [{ concurrentSessions: 1, duration: '1m' }] }, '`stages[0].duration` would let the faster target'],
    ['another option', { timescale: 1 }, 'compare options: unknown option `timescale`. Did you mean `timeScale`?'],
    ['an option of its own, misspelt', { sheduel: 1 }, 'Known: targets, schedule, name, workload, stages, timeScale'],
    ['a side, misspelt', { targets: { base: target, hed: target } }, 'unknown side `targets.hed`. Did you mean `head`?'],
    ['sides that are no object', { targets: 'base' }, '`targets.base` is missing'],
    [
      'a third side',
      { targets: { base: target, head: target, next: target } },
      'unknown side `targets.next`. Known: base, head.',
    ],
  ])('%s', async (_, differs, message) => {
    await expect(compare({ ...options, ...differs } as CompareOptions)).rejects.toThrow(message)
  })
})

test('over the network, on one server, neither side finds the prompts of the other in the cache', async () => {
  const simulator = await startSimulator({ speed: Number.POSITIVE_INFINITY, cacheBlockTokens: 1 })
  const target = { kind: 'simulator', url: simulator.url } as const
  const { base, head } = await compare({
    workload: workloadOf(corpus.slice(0, 4)),
    stages: [{ concurrentSessions: 2 }],
    journal: false,
    targets: { base: target, head: target },
  })
  await simulator.close()
  expect(head.sessionSuccessRate).toBe(1)
  expect(head.name).toBe('sketched (head)')
  expect(head.cachedShare).toBeCloseTo(base.cachedShare ?? Number.NaN, 1)
})
