import type { ErrorRecord, RequestRecord, SessionRecord } from '../../metrics/index.ts'
import type { DrawnSession } from '../../workload/index.ts'
import { requestRecord } from '../request-record.ts'
import type { SessionOrder } from '../session-host.ts'

interface Lost {
  readonly drawn: DrawnSession
  readonly order: SessionOrder
  /** Calls whose records have come. */
  readonly reported: ReadonlySet<string>
  readonly succeeded: number
  readonly inFlight: number
  readonly firstSentMs: number | null
  readonly nowMs: number
  readonly why: string
}

/**
 * Records of a session whose thread crashed: what was in flight has failed (at least one call, or the session could not be
 * said to), the rest is cancelled.
 */
export function lostSession(lost: Lost): {
  readonly requests: readonly { readonly record: RequestRecord; readonly wasInFlight: boolean }[]
  readonly session: SessionRecord
} {
  const { drawn, order, reported, succeeded, inFlight, firstSentMs, nowMs, why } = lost
  const error: ErrorRecord = { label: 'client_thread_crashed', message: `a thread of the load client crashed: ${why}` }
  const left = drawn.graph.nodes.filter(({ call }) => !reported.has(call.id))
  // Which of them were in flight went with the thread: those that come first in time stand for them.
  const requests = left.map((node, index) => {
    const failed = index < Math.max(1, inFlight)
    const record = requestRecord({
      planned: {
        session: drawn.id,
        node,
        model: node.call.model,
        stage: order.stage,
        originMs: order.originMs,
        waitMs: 0,
        uncappedWaitMs: 0,
      },
      state: failed ? 'failed' : 'cancelled',
      error: failed ? error : null,
      readyMs: null,
      exchange: null,
      steering: { plannedOutputTokens: null },
    })
    return { record, wasInFlight: index < inFlight }
  })
  const failed = requests.filter(({ record }) => record.state === 'failed').length
  return {
    requests,
    session: {
      id: drawn.id,
      recorded: drawn.recordedId,
      source: drawn.graph.session.source,
      stage: order.stage,
      state: 'failed',
      intendedMs: order.intendedMs - order.originMs,
      startMs: firstSentMs,
      endMs: nowMs - order.originMs,
      ...(order.openLoop ? { openLoop: true } : {}),
      calls: { succeeded, failed, cancelled: left.length - failed, cutOff: 0 },
      error: { ...error, ...(left[0] === undefined ? {} : { call: left[0].call.id }) },
    },
  }
}
