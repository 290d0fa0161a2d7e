import { clientLag } from './client-lag.ts'
import type { RequestRecord, SpliceEvidence, ToolCallCounts } from './records.ts'
import type { RequestList } from './request-list.ts'

/**
 * How true a replay was to its recording. Each part is a share, 0 to 1; `undefined` where the run or the recording has
 * nothing to tell it by.
 */
export interface Fidelity {
  /** The weakest of the parts: a replay is as true as that. `undefined` when there is none. */
  readonly score: number | undefined
  readonly parts: FidelityParts
  /** Places that were to take a live output, by what showed that they do. */
  readonly splices: { readonly [Evidence in SpliceEvidence]?: { readonly live: number; readonly diverged: number } }
  /** Tool calls of the answers against the recorded ones. */
  readonly toolCalls: ToolCallCounts
  /** Live over recorded prompt tokens, all together: tokenizers differ, so this is no part of the score, but its drift is. */
  readonly promptTokensRatio: number | undefined
  /**
   * Live over recorded output tokens of the calls recorded to end in tool calls, all together. A tool call must be able to end
   * on its own, so its length is the model's: no part of the score.
   */
  readonly toolCallTokensRatio: number | undefined
  /**
   * Reported over expected tokens that the server had in its prefix cache, where a call goes on from a predecessor's input
   * and output. The server's doing rather than the replay's: no part of the score.
   */
  readonly cachedPrefix: number | undefined
}

export interface FidelityParts {
  /** Calls that were sent ÷ calls recorded: what a failure or an end cut off was not replayed. */
  readonly callsSent: number | undefined
  /** Live outputs that went into later requests ÷ places for them; in the others the recorded turn stood in. */
  readonly liveHistory: number | undefined
  /** Tool calls made as recorded ÷ those recorded or made. */
  readonly toolCalls: number | undefined
  /** Output tokens of answers in text, live against recorded: Σ lesser ÷ Σ greater. */
  readonly outputLength: number | undefined
  /** Prompt tokens, live against recorded and scaled to the same sum: Σ lesser ÷ Σ greater. */
  readonly promptLength: number | undefined
  /** Recorded waits kept under `maxWait` ÷ recorded waits, both after `timeScale`. */
  readonly waits: number | undefined
  /** 1 − the share of the client's schedule lag in the time of all calls and waits. */
  readonly punctuality: number | undefined
}

export function fidelity(requests: RequestList): Fidelity {
  const answered = requests.filter(({ state }) => state === 'succeeded')
  const splices = sumSplices(requests)
  const toolCalls = sumToolCalls(requests)
  const { ratio, alike } = promptLengths(answered)
  const outputs = answered.filter((request) => !calledTools(request)).flatMap(outputPair)
  const places = Object.values(splices)
  const live = places.reduce((sum, counts) => sum + counts.live, 0)
  const diverged = places.reduce((sum, counts) => sum + counts.diverged, 0)
  const { matched, missing, extra, renamed, malformed } = toolCalls
  const uncappedMs = requests.reduce((sum, { waitMs, uncappedWaitMs }) => sum + (uncappedWaitMs ?? waitMs), 0)
  const sent = requests.filter(({ sentMs }) => sentMs !== null)
  const parts: FidelityParts = {
    callsSent: share(sent.length, requests.length),
    liveHistory: share(live, live + diverged),
    toolCalls: share(matched, matched + missing + extra + renamed + malformed),
    outputLength: likeness(outputs),
    promptLength: alike,
    waits: share(
      requests.reduce((sum, { waitMs }) => sum + waitMs, 0),
      uncappedMs,
    ),
    punctuality: sent.length === 0 ? undefined : 1 - clientLag(requests).shareOfSessions,
  }
  const known = Object.values(parts).filter((part) => part !== undefined)
  return {
    score: known.length === 0 ? undefined : Math.min(...known),
    parts,
    splices,
    toolCalls,
    promptTokensRatio: ratio,
    toolCallTokensRatio: ratioOf(answered.filter(calledTools).flatMap(outputPair)),
    cachedPrefix: cachedPrefix(answered),
  }
}

/** As recorded. */
function calledTools({ toolCalls }: RequestRecord): boolean {
  if (toolCalls === undefined) return false
  const { matched, missing, renamed, malformed } = toolCalls
  return matched + missing + renamed + malformed > 0
}

function outputPair({ outputTokens, plannedOutputTokens }: RequestRecord): [live: number, recorded: number][] {
  return outputTokens === null || plannedOutputTokens === null ? [] : [[outputTokens, plannedOutputTokens]]
}

function ratioOf(pairs: readonly (readonly [live: number, recorded: number])[]): number | undefined {
  return share(
    pairs.reduce((sum, [live]) => sum + live, 0),
    pairs.reduce((sum, [, recorded]) => sum + recorded, 0),
  )
}

function share(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : part / whole
}

/** Σ lesser ÷ Σ greater: 1 when all pairs are equal. */
function likeness(pairs: readonly (readonly [number, number])[]): number | undefined {
  return share(
    pairs.reduce((sum, [a, b]) => sum + Math.min(a, b), 0),
    pairs.reduce((sum, [a, b]) => sum + Math.max(a, b), 0),
  )
}

function promptLengths(answered: RequestList): { ratio: number | undefined; alike: number | undefined } {
  const pairs = answered.flatMap(({ inputTokens, recordedInputTokens }): [number, number][] =>
    inputTokens === null || recordedInputTokens === undefined ? [] : [[inputTokens, recordedInputTokens]],
  )
  const ratio = ratioOf(pairs)
  return { ratio, alike: likeness(pairs.map(([live, recorded]) => [live, recorded * (ratio ?? 1)])) }
}

function cachedPrefix(answered: RequestList): number | undefined {
  const key = (stage: number, session: string, call: string) => `${stage} ${session}\n${call}`
  const byCall = new Map(answered.map((request) => [key(request.stage, request.session, request.call), request]))
  let expected = 0
  let reported = 0
  for (const { stage, session, continues, cachedInputTokens, inputTokens } of answered) {
    const before = continues === undefined ? undefined : byCall.get(key(stage, session, continues))
    if (before === undefined || cachedInputTokens === null || inputTokens === null || before.inputTokens === null) continue
    const prefix = Math.min(inputTokens, before.inputTokens + (before.outputTokens ?? 0))
    expected += prefix
    // What other sessions put there is no sign of this one's prefix.
    reported += Math.min(cachedInputTokens, prefix)
  }
  return share(reported, expected)
}

function sumSplices(requests: RequestList): { [Evidence in SpliceEvidence]?: { live: number; diverged: number } } {
  const sums: { [Evidence in SpliceEvidence]?: { live: number; diverged: number } } = {}
  for (const { splices } of requests) {
    const { live, diverged, by = live + diverged === 0 ? {} : { earlier: { live, diverged } } } = splices
    for (const [evidence, counts] of Object.entries(by) as [SpliceEvidence, { live: number; diverged: number }][]) {
      const sum = sums[evidence] ?? { live: 0, diverged: 0 }
      sums[evidence] = { live: sum.live + counts.live, diverged: sum.diverged + counts.diverged }
    }
  }
  return sums
}

function sumToolCalls(requests: RequestList): ToolCallCounts {
  const sum = { matched: 0, missing: 0, extra: 0, renamed: 0, malformed: 0 }
  for (const { toolCalls } of requests) {
    if (toolCalls === undefined) continue
    for (const kind of Object.keys(sum) as (keyof ToolCallCounts)[]) sum[kind] += toolCalls[kind]
  }
  return sum
}
