import type { GraphNode } from '../graph/index.ts'
import type { Message } from '../message/index.ts'
import type { SpliceCounts, SpliceEvidence, ToolCallCounts } from '../metrics/index.ts'
import type { LiveInput } from './live-history.ts'
import { hasSoundArguments } from './live-output.ts'
import { toolCallsOf } from './tool-pairing.ts'

/** How the places that were to take live outputs came out, by what shows that they do. */
export function countSplices({ edges }: GraphNode, { splices, strayed, live, diverged }: LiveInput): SpliceCounts {
  if (splices.length === 0) return { live: 0, diverged: 0 }
  const by: { [Evidence in SpliceEvidence]?: { live: number; diverged: number } } = {}
  for (const splice of splices) {
    const kind = edges.find(({ from }) => from === splice.from)?.kind
    const evidence = kind === undefined || kind === 'temporal' ? 'earlier' : kind
    const counts = by[evidence] ?? { live: 0, diverged: 0 }
    by[evidence] = counts
    counts[strayed.has(splice) ? 'diverged' : 'live'] += 1
  }
  return { live, diverged, by }
}

/** @returns `undefined` where neither side called a tool */
export function compareToolCalls(recorded: Message | null, live: Message): ToolCallCounts | undefined {
  const wanted = toolCallsOf(recorded ?? undefined)
  const made = toolCallsOf(live)
  if (recorded === null || wanted.length + made.length === 0) return undefined
  const left = [...made]
  let matched = 0
  let malformed = 0
  for (const { name } of wanted) {
    const twin = left.findIndex((call) => call.name === name)
    const [call] = twin < 0 ? [] : left.splice(twin, 1)
    if (call === undefined) continue
    if (hasSoundArguments({ role: 'assistant', parts: [call] })) matched += 1
    else malformed += 1
  }
  const unmet = wanted.length - matched - malformed
  const renamed = Math.min(unmet, left.length)
  return { matched, missing: unmet - renamed, extra: left.length - renamed, renamed, malformed }
}
