import type { Exchange } from '../endpoint/index.ts'
import type { GraphNode } from '../graph/index.ts'
import type { ErrorRecord, RequestRecord, RequestState } from '../metrics/index.ts'
import { compareToolCalls, countSplices } from './divergence.ts'
import type { LiveInput } from './live-history.ts'
import { estimateTokens, type Steering } from './steer.ts'

/** A call of a session, and how it is meant to be replayed. */
export interface PlannedCall {
  readonly session: string
  readonly node: GraphNode
  readonly model: string
  readonly stage: number
  readonly originMs: number
  readonly waitMs: number
  readonly labels?: Readonly<Record<string, string>> | undefined
  /** Before it was capped. */
  readonly uncappedWaitMs: number
}

interface Outcome {
  readonly planned: PlannedCall
  readonly state: RequestState
  readonly error: ErrorRecord | null
  readonly steering: Pick<Steering, 'plannedOutputTokens'>
}

type Sent = Outcome & {
  readonly readyMs: number
  readonly exchange: Exchange
  readonly input: LiveInput
}

type NeverSent = Outcome & {
  /** `null` when its predecessors never got done. */
  readonly readyMs: number | null
  readonly exchange: null
}

type Writable = { -readonly [Field in keyof RequestRecord]: RequestRecord[Field] }

/**
 * What is kept of one call, sent or not, with times counted from the run's origin. On the path of every request: filled in
 * rather than put together from parts, which takes longer.
 */
export function requestRecord(outcome: Sent | NeverSent): RequestRecord {
  const { planned, state, error, readyMs, steering } = outcome
  const { node, originMs, labels, uncappedWaitMs } = planned
  const { call, edges } = node
  const record: Writable = {
    session: planned.session,
    call: call.id,
    name: call.name,
    model: planned.model,
    stage: planned.stage,
    state,
    error: error === null ? null : { ...error, call: call.id },
    after: edges.map((edge) => edge.from),
    readyMs: readyMs === null ? null : readyMs - originMs,
    waitMs: planned.waitMs,
    sentMs: null,
    connectMs: 0,
    firstOutputMs: null,
    lastOutputMs: null,
    endMs: null,
    outputChunks: 0,
    inputTokens: null,
    outputTokens: null,
    cachedInputTokens: null,
    tokensEstimated: false,
    plannedOutputTokens: steering.plannedOutputTokens,
    splices: NO_SPLICES,
  }
  const recordedInputTokens = call.usage?.inputTokens
  const continued = edges.findLast(({ kind }) => kind === 'context')?.from
  if (labels !== undefined) record.labels = labels
  if (call.agent !== undefined) record.agent = call.agent
  if (uncappedWaitMs > planned.waitMs) record.uncappedWaitMs = uncappedWaitMs
  if (recordedInputTokens !== undefined) record.recordedInputTokens = recordedInputTokens
  if (continued !== undefined) record.continues = continued
  if (outcome.exchange !== null) addMeasured(record, outcome.exchange, outcome.input, planned)
  return record
}

const NO_SPLICES = { live: 0, diverged: 0 }

function addMeasured(record: Writable, exchange: Exchange, input: LiveInput, { node, originMs }: PlannedCall): void {
  const { queuedMs, sentMs, endMs, outputTimesMs, usage, result } = exchange
  const firstOutputMs = outputTimesMs[0]
  const lastOutputMs = outputTimesMs[outputTimesMs.length - 1]
  const answered = result.state === 'ok' ? result.message : null
  const toolCalls = answered === null ? undefined : compareToolCalls(node.call.output, answered)
  if (sentMs !== null) {
    record.sentMs = sentMs - originMs
    record.connectMs = sentMs - queuedMs
  }
  if (firstOutputMs !== undefined) record.firstOutputMs = firstOutputMs - originMs
  if (lastOutputMs !== undefined) record.lastOutputMs = lastOutputMs - originMs
  record.endMs = endMs - originMs
  record.outputChunks = outputTimesMs.length
  record.tokensEstimated = answered !== null && usage?.outputTokens === undefined
  record.inputTokens = usage?.inputTokens ?? (record.tokensEstimated ? estimatedInput(input) : null)
  record.outputTokens = usage?.outputTokens ?? (answered === null ? null : estimateTokens(answered))
  record.cachedInputTokens = usage?.cachedInputTokens ?? null
  record.splices = countSplices(node, input)
  if (toolCalls !== undefined) record.toolCalls = toolCalls
}

function estimatedInput({ messages }: LiveInput): number {
  return messages.reduce((sum, message) => sum + estimateTokens(message), 0)
}
