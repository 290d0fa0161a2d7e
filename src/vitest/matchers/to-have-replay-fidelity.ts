import type { Fidelity, FidelityParts } from '../../metrics/index.ts'
import { formatCount, formatShare, type Section } from '../../report/index.ts'
import { checkRate } from './check-rate.ts'
import { judge, type MatcherResult, type ReplayMatcher } from './judge.ts'

export interface ReplayFidelityMatcher<Result> {
  /**
   * Holds how true the replay was to its recording to a floor: a rate above 0, up to 1. It is that of the weakest part: calls
   * sent, live outputs in the histories, tool calls made as recorded, output and prompt lengths, waits kept, punctuality.
   *
   * @example
   * expect(run).toHaveReplayFidelity(0.95)
   */
  toHaveReplayFidelity(rate: number): Result
}

const matcher = 'toHaveReplayFidelity'

export const toHaveReplayFidelity: ReplayMatcher<[rate: number]> = function replayFidelity(received, rate): MatcherResult {
  return judge(this, received, {
    matcher,
    argument: String(rate),
    self: replayFidelity,
    figures({ fidelity, requestCounts }) {
      checkRate(rate, matcher)
      const { score } = fidelity
      return [
        {
          label: 'replay fidelity',
          observed: score,
          limit: rate,
          unit: 'rate',
          direction: 'floor',
          samples: requestCounts.total,
          sampled: 'requests',
          ...(score === undefined ? { unmeasured: 'no call was to be replayed' } : {}),
        },
      ]
    },
    explain: ({ fidelity }) => [partsSection(fidelity)],
  })
}

const LABELS: Readonly<Record<keyof FidelityParts, string>> = {
  callsSent: 'of the recorded calls were sent',
  liveHistory: 'of the places for live outputs took one',
  toolCalls: 'of the tool calls were made as recorded',
  outputLength: 'likeness of the output lengths',
  promptLength: 'likeness of the prompt lengths',
  waits: 'of the recorded waits were kept',
  punctuality: 'punctuality of the client',
}

/** Weakest first: the first is the score. */
function partsSection(fidelity: Fidelity): Section {
  const parts = (Object.entries(fidelity.parts) as [keyof FidelityParts, number | undefined][])
    .flatMap(([part, share]) => (share === undefined ? [] : [{ part, share }]))
    .sort((a, b) => a.share - b.share)
  return {
    title: 'Parts, the weakest first',
    lines: [
      ...parts.map(({ part, share }) => `${formatShare(share)} ${LABELS[part]}${detail(part, fidelity)}`),
      ...(fidelity.cachedPrefix === undefined
        ? []
        : [`(not counted) ${formatShare(fidelity.cachedPrefix)} of the prefixes that a cache could know were in the server's`]),
    ],
  }
}

function detail(part: keyof FidelityParts, { toolCalls, splices, promptTokensRatio }: Fidelity): string {
  if (part === 'toolCalls') {
    const strayed = (['missing', 'extra', 'renamed', 'malformed'] as const).filter((kind) => toolCalls[kind] > 0)
    return strayed.length === 0 ? '' : `: ${strayed.map((kind) => `${formatCount(toolCalls[kind])} ${kind}`).join(', ')}`
  }
  if (part === 'liveHistory') {
    const strayed = Object.entries(splices).filter(([, { diverged }]) => diverged > 0)
    const places = strayed.map(
      ([evidence, { live, diverged }]) => `${formatCount(diverged)} of ${formatCount(live + diverged)} by ${EVIDENCE[evidence]}`,
    )
    return places.length === 0 ? '' : `; the recorded turn stood in for ${places.join(', ')}`
  }
  if (part === 'promptLength' && promptTokensRatio !== undefined)
    return ` (${formatShare(promptTokensRatio)} of the recorded tokens)`
  return ''
}

const EVIDENCE: Readonly<Record<string, string>> = {
  context: 'context',
  output: 'output',
  'tool-call-id': 'tool-call id',
  'hand-off': 'hand-off',
  earlier: 'earlier history',
}
