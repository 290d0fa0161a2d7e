import { type RequestRecord, Run, type RunRecord, type SessionRecord, type SloVerdict } from '../metrics/index.ts'
import { digestOf, requestRecord, runRecord, sessionRecord, stageRecord, unsentRecord } from '../metrics/run-record.fixture.ts'

/** Pull-request reviews of three calls: the plan, the reading of files, the review. The later, the slower. */
export function reviewRun({
  sessions = 40,
  failing = 0,
  differs = {},
}: {
  sessions?: number
  failing?: number
  differs?: Partial<RunRecord>
} = {}): Run {
  const parts = Array.from({ length: sessions }, (_, index) => review(`review-${index + 1}`, index, index >= sessions - failing))
  return new Run(
    runRecord({
      name: 'PR review agents, 20 at once',
      target: { kind: 'vllm', url: 'http://127.0.0.1:8000', model: 'Qwen/Qwen2.5-7B-Instruct' },
      stages: [stageRecord({ concurrentSessions: 20, interTokenLatency: digestOf([11, 12, 12, 13, 40]) })],
      sessions: parts.map(({ session }) => session),
      requests: parts.flatMap(({ requests }) => requests),
      ...differs,
    }),
  )
}

function review(id: string, rank: number, fails: boolean): { session: SessionRecord; requests: RequestRecord[] } {
  const common = { session: id, inputTokens: 2_000, outputTokens: 101, outputChunks: 101 }
  const plan = requestRecord({ ...common, call: 'c1', name: 'chat plan', ...span(100, 150 + rank * 5, 2_000) })
  const read = { ...common, call: 'c2', name: 'chat read_files', after: ['c1'], readyMs: plan.endMs ?? 0, waitMs: 4_000 }
  const readAt = (plan.endMs ?? 0) + 4_005
  if (fails) {
    const error =
      rank % 2 === 0
        ? {
            label: 'http_503',
            message: 'The server answered 503 Service Unavailable: the queue is full (128 waiting).',
            call: 'c2',
          }
        : { label: 'idle_timeout', message: 'No bytes for 60s after 12 chunks.', call: 'c2' }
    const endMs = readAt + 500
    const failed = requestRecord({
      ...read,
      state: 'failed',
      error,
      sentMs: readAt,
      firstOutputMs: null,
      lastOutputMs: null,
      endMs,
    })
    const cancelled = unsentRecord({ session: id, call: 'c3', name: 'chat review', after: ['c2'] })
    const calls = { succeeded: 1, failed: 1, cancelled: 1, cutOff: 0 }
    return {
      session: sessionRecord({ id, state: 'failed', startMs: 100, endMs, error, calls }),
      requests: [plan, failed, cancelled],
    }
  }
  const files = requestRecord({ ...read, ...span(readAt, 300 + rank * 20, 5_000 + rank * 500) })
  const readyMs = files.endMs ?? 0
  const answer = requestRecord({
    ...common,
    call: 'c3',
    name: 'chat review',
    after: ['c2'],
    readyMs,
    ...span(readyMs + 2, 200 + rank * 10, 8_000 + rank * 100),
  })
  const calls = { succeeded: 3, failed: 0, cancelled: 0, cutOff: 0 }
  return { session: sessionRecord({ id, startMs: 100, endMs: answer.endMs ?? 0, calls }), requests: [plan, files, answer] }
}

function span(sentMs: number, prefillMs: number, decodeMs: number) {
  const firstOutputMs = sentMs + prefillMs
  return { sentMs, firstOutputMs, lastOutputMs: firstOutputMs + decodeMs, endMs: firstOutputMs + decodeMs }
}

export function verdict(differs: Partial<SloVerdict> = {}): SloVerdict {
  return {
    matcher: 'toHaveWorkflowLatency',
    label: 'workflow latency p95',
    observed: 52_300,
    limit: 45_000,
    unit: 'ms',
    direction: 'ceiling',
    pass: false,
    samples: 40,
    ...differs,
  }
}
