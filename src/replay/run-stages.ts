import { setMaxListeners } from 'node:events'
import type { Clock } from '../base/index.ts'
import type { Corpus } from '../workload/index.ts'
import type { ReplayPlan, StagePlan } from './options-schema.ts'
import type { Progress } from './progress.ts'
import type { RunRecorder } from './run-recorder.ts'
import type { SessionHost } from './session-host.ts'
import { runStage } from './stage-run.ts'
import { TargetWatch } from './target-watch.ts'
import { watchedProgress } from './watched-progress.ts'

/** Everything a run touches outside itself. */
export interface RunContext {
  readonly clock: Clock
  readonly originMs: number
  readonly host: SessionHost
  readonly recorder: RunRecorder
  readonly corpus: Corpus
  /** Told of each session as it starts. */
  readonly onSessionStart?: (id: string) => void
  /** Told when a stage begins and when it has ended. */
  readonly onStageBorder?: () => void
}

/** A stage, or a slice of one, by its place among the stages of the plan. */
export interface PlannedStage {
  readonly index: number
  readonly plan: StagePlan
}

const PROGRESS_INTERVAL_MS = 250

/**
 * Runs stages one after the other, into the recorder.
 *
 * @param stages all of the plan's, or slices of them
 */
export async function runStages(
  plan: ReplayPlan,
  context: RunContext,
  stages: readonly PlannedStage[] = plan.stages.map((stage, index) => ({ index, plan: stage })),
): Promise<void> {
  const { clock, originMs, host, recorder, corpus } = context
  const watch = new TargetWatch(firstWave(stages))
  const onProgress = plan.onProgress && watchedProgress(plan.onProgress, recorder.warn)
  for (const { index, plan: stage } of stages) {
    if (plan.signal?.aborted === true) break
    recorder.beginStage(index)
    const stop = stageSignal(stage, plan.signal, watch.signal, clock)
    const startMs = clock.now()
    context.onStageBorder?.()
    const progress = () => onProgress?.(progressOf(index, plan.stages.length, stage, startMs, context))
    const ticking = every(PROGRESS_INTERVAL_MS, clock, progress)
    let neverStarted = 0
    try {
      const outcome = await runStage(stage, {
        clock,
        corpus,
        seed: index,
        signal: stop.signal,
        replaySession: (session, start) => {
          context.onSessionStart?.(session.id)
          return host.replay(session, {
            stage: index,
            openLoop: stage.sessionRate !== null,
            originMs,
            ...start,
            signal: stop.signal,
            recorder,
            onOutcome: watch.see,
          })
        },
      })
      watch.throwIfUnusable()
      neverStarted = outcome.neverStarted
      if (neverStarted > 0) recorder.warn(warningOf(neverStarted, index, stop.cause))
    } finally {
      stop.release()
      ticking.cancel()
      context.onStageBorder?.()
      recorder.endStage(index, stage, startMs - originMs, clock.now() - originMs, neverStarted)
    }
    progress()
  }
}

/** How many first answers say whether the target is usable: one full wave, and not many more than it takes to be sure. */
function firstWave(stages: readonly PlannedStage[]): number {
  const first = stages[0]?.plan
  return Math.max(1, Math.min(5, first?.concurrentSessions ?? 1, first?.sessions ?? Number.POSITIVE_INFINITY))
}

function stageSignal(stage: StagePlan, user: AbortSignal | undefined, watch: AbortSignal, clock: Clock) {
  const controller = new AbortController()
  // A listener for each session and request in flight is the design, not a leak.
  setMaxListeners(0, controller.signal)
  let cause: 'timeout' | 'abort' = 'abort'
  const abort = () => controller.abort()
  const sources = user === undefined ? [watch] : [watch, user]
  for (const source of sources) source.addEventListener('abort', abort, { once: true })
  const timer =
    stage.timeoutMs === null
      ? undefined
      : clock.after(stage.timeoutMs, () => {
          cause = 'timeout'
          abort()
        })
  return {
    signal: controller.signal,
    get cause() {
      return cause
    },
    release() {
      timer?.cancel()
      for (const source of sources) source.removeEventListener('abort', abort)
    },
  }
}

function warningOf(sessions: number, stage: number, cause: 'timeout' | 'abort') {
  const why = cause === 'timeout' ? "its 'timeout' had passed" : 'the run was aborted'
  return {
    code: 'sessions-never-started',
    message: `${sessions} of the sessions asked for never started, because ${why}. They are in no figure.`,
    where: `stages[${stage}]`,
  }
}

function progressOf(index: number, stages: number, stage: StagePlan, startMs: number, context: RunContext): Progress {
  const { sessions, requests } = context.recorder.progress()
  const size = context.corpus.sessionsInPass
  const total = stage.sessions ?? (stage.durationMs === null && size !== undefined ? size : null)
  return {
    stage: index,
    stages,
    warmup: stage.warmup,
    elapsedMs: context.clock.now() - startMs,
    sessions: { ...sessions, total },
    requests,
  }
}

function every(intervalMs: number, clock: Clock, run: () => void) {
  let timer = clock.after(intervalMs, tick)
  function tick() {
    run()
    timer = clock.after(intervalMs, tick)
  }
  return { cancel: () => timer.cancel() }
}
