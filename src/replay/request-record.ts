import type { Exchange } from '../endpoint/index.ts'
import type { GraphNode } from '../graph/index.ts'
import type { ErrorRecord, RequestRecord, RequestState } from '../metrics/index.ts'
import { compareToolCalls, countSplices } from './divergence.ts'
import type { LiveInput } from './live-history.ts'
import { estimateTokens, type Steering } from './steer.ts'

interface Common {
  readonly session: string
  readonly node: GraphNode
  readonly model: string
  readonly stage: number
  readonly originMs: number
  readonly waitMs: number
  readonly labels?: Readonly<Record<string, string>>
  /** Before it was capped. */
  readonly uncappedWaitMs: number
  readonly state: RequestState
  readonly error: ErrorRecord | null
}

type Sent = Common & {
  readonly readyMs: number
  readonly exchange: Exchange
  readonly input: LiveInput
  readonly steering: Pick<Steering, 'plannedOutputTokens'>
}

type NeverSent = Common & {
  /** `null` when its predecessors never got done. */
  readonly readyMs: number | null
  readonly exchange: null
  readonly steering: Pick<Steering, 'plannedOutputTokens'>
}

/** What is kept of one call, sent or not, with times counted from the run's origin. */
export function requestRecord(facts: Sent | NeverSent): RequestRecord {
  const { node, originMs } = facts
  return {
    session: facts.session,
    call: node.call.id,
    name: node.call.name,
    ...(facts.labels === undefined ? {} : { labels: facts.labels }),
    ...(node.call.agent === undefined ? {} : { agent: node.call.agent }),
    model: facts.model,
    stage: facts.stage,
    state: facts.state,
    error: facts.error === null ? null : { ...facts.error, call: node.call.id },
    after: node.edges.map((edge) => edge.from),
    readyMs: facts.readyMs === null ? null : facts.readyMs - originMs,
    waitMs: facts.waitMs,
    ...(facts.uncappedWaitMs > facts.waitMs ? { uncappedWaitMs: facts.uncappedWaitMs } : {}),
    plannedOutputTokens: facts.steering.plannedOutputTokens,
    ...recordedFacts(node),
    ...(facts.exchange === null ? NOTHING_MEASURED : measured(facts.exchange, facts.input, node, originMs)),
  }
}

function recordedFacts({ call, edges }: GraphNode): Pick<RequestRecord, 'recordedInputTokens' | 'continues'> {
  const recordedInputTokens = call.usage?.inputTokens
  const continued = edges.findLast(({ kind }) => kind === 'context')?.from
  return {
    ...(recordedInputTokens === undefined ? {} : { recordedInputTokens }),
    ...(continued === undefined ? {} : { continues: continued }),
  }
}

const NOTHING_MEASURED = {
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
  splices: { live: 0, diverged: 0 },
} as const

function measured(exchange: Exchange, input: LiveInput, node: GraphNode, originMs: number) {
  const { queuedMs, sentMs, endMs, outputTimesMs, usage, result } = exchange
  const relative = (time: number | null | undefined) => (time === null || time === undefined ? null : time - originMs)
  const answered = result.state === 'ok' ? result.message : null
  const toolCalls = answered === null ? undefined : compareToolCalls(node.call.output, answered)
  const estimated = answered !== null && usage?.outputTokens === undefined
  return {
    sentMs: relative(sentMs),
    connectMs: sentMs === null ? 0 : sentMs - queuedMs,
    firstOutputMs: relative(outputTimesMs[0]),
    lastOutputMs: relative(outputTimesMs.at(-1)),
    endMs: relative(endMs),
    outputChunks: outputTimesMs.length,
    inputTokens:
      usage?.inputTokens ?? (estimated ? input.messages.reduce((sum, message) => sum + estimateTokens(message), 0) : null),
    outputTokens: usage?.outputTokens ?? (answered === null ? null : estimateTokens(answered)),
    cachedInputTokens: usage?.cachedInputTokens ?? null,
    tokensEstimated: estimated,
    splices: countSplices(node, input),
    ...(toolCalls === undefined ? {} : { toolCalls }),
  }
}
