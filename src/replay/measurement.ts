import { type Clock, systemClock } from '../base/index.ts'
import { createEndpoint, type Endpoint, scrapeServerMetrics, type Target } from '../endpoint/index.ts'
import { type JournalFacts, JournalWriter } from '../journal/index.ts'
import {
  compactRecord,
  firstWaveWarning,
  type PolicyRecord,
  type RunRecord,
  type SessionRecord,
  worstDelay,
} from '../metrics/index.ts'
import { Corpus, type WorkloadOrigin } from '../workload/index.ts'
import { watchEventLoop } from './event-loop-delay.ts'
import { describeMachine } from './machine.ts'
import type { ReplayPlan } from './options-schema.ts'
import type { Progress } from './progress.ts'
import { repetitionWarning } from './repetition-warning.ts'
import { RunRecorder } from './run-recorder.ts'
import { type PlannedStage, runStages } from './run-stages.ts'
import { ServerWatch } from './server-watch.ts'
import { LocalHost, type SessionHost } from './session-host.ts'
import { ThreadPool } from './threads/thread-pool.ts'

export interface MeasuredTarget {
  readonly target: Target
  readonly clock: Clock
  /** @param warn what the endpoint repaired or left out */
  readonly createEndpoint: (warn: RunRecorder['warn']) => Endpoint
  /** Text of its own for each session, at the head of its first message, that keeps this measurement's sessions apart from those of another in the prefix cache of a server that both use. */
  readonly cacheMarker?: string
}

/** Told of sessions as they come and go. */
export interface SessionWatch {
  started?(id: string): void
  ended?(record: SessionRecord): void
}

/** A target over the network, in real time. */
export function reachable(target: Target, cacheMarker = ''): MeasuredTarget {
  const clock = systemClock
  return { target, clock, createEndpoint: (warn) => createEndpoint(target, { clock, warn }), cacheMarker }
}

/**
 * One target on its way to a run's record. It can be measured in several goes: its time stands still between them, so that
 * the record reads as if there had been one.
 */
export class Measurement {
  readonly #plan: ReplayPlan
  readonly #target: Target
  readonly #clock: Clock
  readonly #recorder = new RunRecorder((session, requests) => {
    this.#journal?.session(session, requests)
    this.#watch.ended?.(session)
  })
  readonly #watch: SessionWatch
  readonly #corpus: Corpus
  readonly #host: SessionHost
  readonly #eventLoop = watchEventLoop()
  readonly #startedAt = new Date().toISOString()
  readonly #serverWatch: ServerWatch | undefined
  readonly #journal: JournalWriter | undefined
  #origin: WorkloadOrigin | undefined
  #elapsedMs = 0
  /** Why it came to no good end. */
  #brokeOff: string | undefined

  constructor(plan: ReplayPlan, { target, clock, createEndpoint, cacheMarker }: MeasuredTarget, watch: SessionWatch = {}) {
    this.#plan = plan
    this.#watch = watch
    this.#target = target
    this.#clock = clock
    const { workload, cwd, onInvalidTrace, signal, isolateCache, order, onWorkloadProgress } = plan
    const context = {
      cwd,
      onInvalidTrace,
      warn: this.#recorder.warn,
      onOrigin: (found: WorkloadOrigin) => {
        this.#origin = found
      },
      ...(signal === undefined ? {} : { signal }),
      ...(onWorkloadProgress === undefined ? {} : { onProgress: onWorkloadProgress }),
    }
    this.#corpus = new Corpus(workload, context, isolateCache, { ...order, marker: cacheMarker ?? '' })
    this.#host =
      plan.threads > 1 && clock === systemClock
        ? new ThreadPool(threadsOf(plan), { clock, target, policy: plan.policy, warn: this.#recorder.warn })
        : new LocalHost(clock, createEndpoint(this.#recorder.warn), target, plan.policy)
    const { metrics } = target
    this.#serverWatch = metrics && new ServerWatch({ metrics, clock, scrape: scrapeServerMetrics, warn: this.#recorder.warn })
    this.#journal = plan.journal === null ? undefined : new JournalWriter(plan.journal, this.#facts(), this.#recorder.warn)
  }

  /**
   * Runs stages one after the other. A stage that comes again goes on where it was.
   *
   * @throws {TraceReplayError} `TARGET_UNREACHABLE`, and whatever reading the workload throws
   */
  async run(stages: readonly PlannedStage[], onProgress?: (progress: Progress) => void): Promise<void> {
    if (this.#plan.signal?.aborted !== true) await this.#host.open?.()
    const originMs = this.#clock.now() - this.#elapsedMs
    this.#serverWatch?.start(originMs)
    try {
      await runStages(
        { ...this.#plan, ...(onProgress === undefined ? {} : { onProgress }) },
        {
          clock: this.#clock,
          originMs,
          host: this.#host,
          recorder: this.#recorder,
          corpus: this.#corpus,
          onSessionStart: (id) => this.#watch.started?.(id),
          onStageBorder: () => this.#serverWatch?.look(originMs),
        },
        stages,
      )
    } catch (error) {
      this.#brokeOff = error instanceof Error ? error.message : String(error)
      throw error
    } finally {
      this.#elapsedMs = this.#clock.now() - originMs
      await this.#serverWatch?.stop()
    }
  }

  /** Closes every socket and file, and gives what was measured. */
  async end(): Promise<RunRecord> {
    const ofThisThread = this.#eventLoop.stop()
    const [ofThreads] = await Promise.all([this.#host.close(), this.#corpus.close()])
    const eventLoopDelayMs = worstDelay([ofThisThread, ...ofThreads])
    const { name, workload, signal } = this.#plan
    const aborted = signal?.aborted === true ? reasonOf(signal) : this.#brokeOff
    this.#warn()
    const server = this.#serverWatch?.record
    const recorder = this.#recorder
    const record: Omit<RunRecord, 'requests'> = {
      version: 1,
      name,
      startedAt: this.#startedAt,
      durationMs: this.#elapsedMs,
      workload: {
        name: workload.name,
        hash: this.#corpus.hash(),
        recordedSessions: this.#corpus.recordedSessions,
        ...(this.#origin !== undefined && { origin: { ...this.#origin } }),
      },
      target: { kind: this.#target.kind, url: this.#target.url, model: this.#target.model ?? '' },
      policy: policyRecord(this.#plan),
      stages: recorder.stages,
      sessions: recorder.sessions,
      client: { eventLoopDelayMs, machine: describeMachine() },
      ...(server === undefined ? {} : { server }),
      ...(aborted === undefined ? {} : { aborted }),
      warnings: recorder.warnings,
    }
    await this.#journal?.end(record)
    // The journal may have had something to say of itself.
    return compactRecord({ ...record, warnings: recorder.warnings }, recorder.requestList.settle())
  }

  #facts(): JournalFacts {
    const { name, workload, stages } = this.#plan
    const { kind, url, model = '' } = this.#target
    return {
      version: 1,
      name,
      startedAt: this.#startedAt,
      workload: { name: workload.name },
      target: { kind, url, model },
      stages: stages.map(({ warmup, concurrentSessions, sessionRate }, index) => ({
        index,
        warmup,
        concurrentSessions: Number.isFinite(concurrentSessions) ? concurrentSessions : 0,
        sessionRate,
      })),
    }
  }

  #warn(): void {
    const { warn, sessions } = this.#recorder
    const { signal, isolateCache } = this.#plan
    const repetition = repetitionWarning(sessions, isolateCache)
    if (repetition !== undefined) warn(repetition)
    const [first] = this.#recorder.stages
    const wave = first && firstWaveWarning(first, sessions, this.#recorder.requestList)
    if (wave !== undefined) warn(wave)
    if (signal?.aborted === true) {
      warn({ code: 'run-aborted', message: 'The run was aborted; sessions then in flight count as cut off.' })
    }
  }
}

/** No more than can ever have a session. */
function threadsOf({ threads, stages }: ReplayPlan): number {
  return Math.min(threads, Math.max(...stages.map(({ concurrentSessions }) => concurrentSessions)))
}

function policyRecord({ policy, isolateCache }: ReplayPlan): PolicyRecord {
  const { timeScale, maxWaitMs, substitute, stream } = policy
  return { timeScale, maxWaitMs, substitute, stream, isolateCache }
}

/** Measures one target over all stages of a plan. */
export async function measure(plan: ReplayPlan, target: MeasuredTarget, watch: SessionWatch = {}): Promise<RunRecord> {
  const measurement = new Measurement(plan, target, watch)
  let record: RunRecord
  try {
    await measurement.run(plan.stages.map((stage, index) => ({ index, plan: stage })))
  } finally {
    record = await measurement.end()
  }
  return record
}

function reasonOf(signal: AbortSignal): string {
  const reason: unknown = signal.reason
  return reason instanceof Error ? reason.message : typeof reason === 'string' ? reason : 'by its signal'
}
