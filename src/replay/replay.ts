import { atCaller, TraceReplayError } from '../base/index.ts'
import { resolveTarget, type Target } from '../endpoint/index.ts'
import { Run } from '../metrics/index.ts'
import { startSimulator } from '../simulator/index.ts'
import { measure, reachable } from './measurement.ts'
import type { ReplayOptions } from './options.ts'
import { planReplay } from './options-schema.ts'

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
export function replay(options: ReplayOptions): Promise<Run> {
  return atCaller(replay, () => replayOnce(options))
}

async function replayOnce(options: ReplayOptions): Promise<Run> {
  const plan = planReplay(options)
  const { target, close } = await openTarget(options)
  try {
    return new Run(await measure(plan, reachable(target)))
  } finally {
    await close()
  }
}

/** The target that was asked for, or the embedded simulator. */
export async function openTarget(
  options: Pick<ReplayOptions, 'target' | 'simulator'>,
): Promise<{ target: Target; close: () => Promise<void> }> {
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
