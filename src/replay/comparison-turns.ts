import { TraceReplayError } from '../base/index.ts'
import { comparisonBlocks } from './comparison-blocks.ts'
import type { ReplayPlan, StagePlan } from './options-schema.ts'
import type { PlannedStage } from './run-stages.ts'

export type SideName = 'base' | 'head'

/** One side's go: a slice of a stage. */
export interface Turn extends PlannedStage {
  readonly side: SideName
}

/**
 * The stages of a comparison with the number of their sessions settled.
 *
 * @throws {TraceReplayError} `INVALID_OPTION` for a stage bounded by time alone; whatever reading the workload throws
 */
export async function settleStages({ stages, ...plan }: ReplayPlan): Promise<StagePlan[]> {
  for (const [index, { durationMs }] of stages.entries()) {
    if (durationMs === null) continue
    throw new TraceReplayError(
      'INVALID_OPTION',
      `compare options: \`stages[${index}].duration\` would let the faster target replay more. Give \`sessions\` instead; \`timeout\` bounds the time.`,
    )
  }
  const size = stages.some(({ sessions }) => sessions === null) ? (plan.order.duplicateTo ?? (await countSessions(plan))) : 0
  let drawn = 0
  return stages.map((stage) => {
    // As in any run: what is left of the pass, and a whole one when nothing is.
    const sessions = stage.sessions ?? size - (drawn % size)
    drawn += sessions
    return { ...stage, sessions }
  })
}

export async function countSessions({ workload, cwd, onInvalidTrace, signal }: Omit<ReplayPlan, 'stages'>): Promise<number> {
  let count = 0
  // What is wrong with a trace is said when it is replayed.
  const context = { cwd, onInvalidTrace, warn: () => {}, ...(signal === undefined ? {} : { signal }) }
  for await (const _ of workload.open(context)) count++
  return Math.max(1, count)
}

/** Cuts stages into the two sides' turns. A warm-up is one block, for nothing is compared by it, and so is a ramp, which goes its way once. */
export function comparisonTurns(stages: readonly StagePlan[]): Turn[] {
  return stages.flatMap((stage, index) => {
    const all = stage.sessions ?? 1
    const inOneGo = stage.warmup || stage.ramp !== null
    const blocks = comparisonBlocks(all, inOneGo ? Number.POSITIVE_INFINITY : stage.concurrentSessions)
    return blocks.flatMap(({ sessions, first }) => {
      const timeoutMs = stage.timeoutMs === null ? null : (stage.timeoutMs * sessions) / all
      const plan = { ...stage, sessions, timeoutMs }
      const second: SideName = first === 'base' ? 'head' : 'base'
      return [first, second].map((side): Turn => ({ side, index, plan }))
    })
  })
}
