import { systemClock, TraceReplayError } from '../base/index.ts'
import { createEndpoint, resolveTarget, type Target } from '../endpoint/index.ts'
import { Run, type RunRecord } from '../metrics/index.ts'
import { startSimulator } from '../simulator/index.ts'
import { Corpus, type WorkloadOrigin } from '../workload/index.ts'
import { watchEventLoop } from './event-loop-delay.ts'
import type { ReplayOptions } from './options.ts'
import { planReplay, type ReplayPlan } from './options-schema.ts'
import { RunRecorder } from './run-recorder.ts'
import { runStages } from './run-stages.ts'

/** What the embedded simulator is asked for when the trace names no model. */
const FALLBACK_SIMULATED_MODEL = 'simulated'

/**
 * Replays recorded sessions against an inference endpoint and measures them. Works anywhere, Vitest or not.
 *
 * Failures of the server are part of the result, never a rejection. An aborted `signal` ends the run early; what was
 * measured until then is returned.
 *
 * @throws {TraceReplayError} `INVALID_OPTION`; whatever reading the workload throws; `TARGET_UNREACHABLE` when the target
 * refuses every request from the start (nothing listening, wrong path, missing model, wrong key)
 *
 * @example
 * const run = await replay({
 *   workload: traces('traces/*.json'),
 *   target: { kind: 'vllm', url: 'http://127.0.0.1:8000', model: 'Qwen/Qwen2.5-7B-Instruct' },
 *   stages: [{ concurrentSessions: 20, sessions: 100 }],
 * })
 * console.log(run.sessionSuccessRate, run.workflowLatency.quantile(0.95))
 */
export async function replay(options: ReplayOptions): Promise<Run> {
  const plan = planReplay(options)
  const { target, close } = await openTarget(options)
  try {
    return new Run(await measure(plan, target))
  } finally {
    await close()
  }
}

async function openTarget(options: ReplayOptions): Promise<{ target: Target; close: () => Promise<void> }> {
  if (options.target !== undefined) {
    if (options.simulator !== undefined) {
      throw new TraceReplayError('INVALID_OPTION', 'replay options: `target` and `simulator` exclude each other. Leave one out.')
    }
    return { target: resolveTarget(options.target, process.env), close: async () => {} }
  }
  // Nobody can ask this one what it received.
  const simulator = await startSimulator({ recordRequests: 0, ...options.simulator })
  const { apiKey } = options.simulator ?? {}
  const target = resolveTarget({ kind: 'simulator', url: simulator.url, ...(apiKey !== undefined && { apiKey }) }, {})
  return { target, close: () => simulator.close() }
}

async function measure(plan: ReplayPlan, target: Target): Promise<RunRecord> {
  const clock = systemClock
  const recorder = new RunRecorder()
  const { workload, cwd, onInvalidTrace, signal, isolateCache } = plan
  let origin: WorkloadOrigin | undefined
  const context = {
    cwd,
    onInvalidTrace,
    warn: recorder.warn,
    onOrigin: (found: WorkloadOrigin) => {
      origin = found
    },
    ...(signal === undefined ? {} : { signal }),
  }
  const corpus = new Corpus(workload, context, isolateCache)
  const endpoint = createEndpoint(target, { clock, warn: recorder.warn })
  const eventLoop = watchEventLoop()
  const startedAt = new Date().toISOString()
  const originMs = clock.now()
  let eventLoopDelayMs: ReturnType<typeof eventLoop.stop>
  try {
    await runStages(plan, { clock, originMs, endpoint, timeouts: target.timeouts, recorder, corpus, modelFor: modelRule(target) })
  } finally {
    eventLoopDelayMs = eventLoop.stop()
    await Promise.all([endpoint.close(), corpus.close()])
  }
  if (corpus.passes > 1 && corpus.size !== undefined)
    warnOfRepetition(recorder, corpus.size, recorder.sessions.length, isolateCache)
  if (signal?.aborted === true) {
    recorder.warn({ code: 'run-aborted', message: 'The run was aborted; sessions then in flight count as cut off.' })
  }
  return {
    version: 1,
    name: plan.name,
    startedAt,
    durationMs: clock.now() - originMs,
    workload: {
      name: workload.name,
      hash: corpus.hash(),
      recordedSessions: corpus.recordedSessions,
      ...(origin !== undefined && { origin: { ...origin } }),
    },
    target: { kind: target.kind, url: target.url, model: target.model ?? '' },
    stages: recorder.stages,
    sessions: recorder.sessions,
    requests: recorder.requests,
    client: { eventLoopDelayMs },
    ...(signal?.aborted === true ? { aborted: reasonOf(signal) } : {}),
    warnings: recorder.warnings,
  }
}

function reasonOf(signal: AbortSignal): string {
  const reason: unknown = signal.reason
  return reason instanceof Error ? reason.message : typeof reason === 'string' ? reason : 'by its signal'
}

function modelRule(target: Target): (recordedModel: string, where: string) => string {
  return (recordedModel, where) => {
    const mapped = Object.hasOwn(target.models, recordedModel) ? target.models[recordedModel] : undefined
    const model = mapped ?? target.model ?? (recordedModel || (target.kind === 'simulator' ? FALLBACK_SIMULATED_MODEL : ''))
    if (model !== '') return model
    throw new TraceReplayError('INVALID_OPTION', `${where}: the trace names no model, and \`target.model\` is not set. Set it.`)
  }
}

function warnOfRepetition(
  recorder: RunRecorder,
  recorded: number,
  replayed: number,
  isolateCache: ReplayPlan['isolateCache'],
): void {
  const cache =
    isolateCache === 'none'
      ? 'Repetitions share the prefix cache of the server.'
      : 'Repetitions carry a marker that keeps them apart in the prefix cache of the server.'
  recorder.warn({
    code: 'workload-repeated',
    message: `${replayed} sessions were replayed from ${recorded} recorded ones. ${cache}`,
  })
}
