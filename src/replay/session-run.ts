import type { Clock, Timer } from '../base/index.ts'
import type { Endpoint, EndpointRequest, Exchange, RequestTimeouts } from '../endpoint/index.ts'
import type { GraphNode } from '../graph/index.ts'
import type { ToolDefinition } from '../message/index.ts'
import type { CallCounts, ErrorRecord, RequestState, SessionRecord } from '../metrics/index.ts'
import type { DrawnSession } from '../workload/index.ts'
import { judge, outcomeOf, type RequestOutcome } from './call-outcome.ts'
import { LiveHistory, type LiveInput } from './live-history.ts'
import type { CallPolicy } from './options-schema.ts'
import { type PlannedCall, requestRecord } from './request-record.ts'
import { attributeOf, type HeaderRules, SessionHeaders } from './session-headers.ts'
import type { SessionStart } from './session-host.ts'
import type { SessionRecorder } from './session-recorder.ts'
import { type Steering, standInTools, steer } from './steer.ts'

/** What a session needs from the run it is part of. */
export interface SessionContext {
  readonly clock: Clock
  /** The clock's reading that records count from. */
  readonly originMs: number
  readonly endpoint: Endpoint
  readonly timeouts: RequestTimeouts
  readonly policy: CallPolicy
  readonly recorder: SessionRecorder
  readonly stage: number
  /** Sessions arrive at a rate: latency counts from the arrival. */
  readonly openLoop: boolean
  /** Ends the session: what is in flight is aborted, the rest never starts. */
  readonly signal: AbortSignal
  readonly modelFor: (recordedModel: string, where: string) => string
  /** @default none */
  readonly headerRules?: HeaderRules
  /** Told of each failed and succeeded request as it ends. */
  readonly onOutcome: (outcome: RequestOutcome) => void
}

/** One call's way through the session. `blocked` waits for predecessors, `waiting` for its recorded wait to pass. */
type CallState =
  | { readonly state: 'blocked'; readonly missing: number; readonly readyMs: number }
  | { readonly state: 'waiting'; readonly readyMs: number; readonly timer: Timer }
  | { readonly state: 'in-flight'; readonly readyMs: number }
  | { readonly state: RequestState }

/**
 * Replays one session: each call is sent when its direct predecessors are done and its recorded wait has passed, with
 * their live outputs in its input. A waiting call holds a timer and nothing else.
 */
export class SessionRun {
  readonly #drawn: DrawnSession
  readonly #context: SessionContext
  readonly #nodes: ReadonlyMap<string, GraphNode>
  readonly #successors: ReadonlyMap<string, readonly string[]>
  readonly #states = new Map<string, CallState>()
  readonly #history: LiveHistory
  readonly #headers: SessionHeaders | undefined
  readonly #standInTools: readonly ToolDefinition[]
  readonly #counts = { succeeded: 0, failed: 0, cancelled: 0, cutOff: 0 }
  #unsettled: number
  #firstSentMs: number | null = null
  #lastEndMs: number
  #error: ErrorRecord | null = null
  #finish: (record: SessionRecord) => void = () => {}
  #crash: (error: unknown) => void = () => {}

  constructor(drawn: DrawnSession, context: SessionContext) {
    this.#drawn = drawn
    this.#context = context
    this.#headers = context.headerRules && new SessionHeaders(context.headerRules, drawn.id, drawn.graph.session)
    this.#history = new LiveHistory(drawn.marker)
    this.#nodes = new Map(drawn.graph.nodes.map((node) => [node.call.id, node]))
    this.#successors = successorsOf(drawn.graph.nodes)
    this.#standInTools = standInTools(drawn.graph.session.calls)
    this.#unsettled = this.#nodes.size
    this.#lastEndMs = context.clock.now()
    for (const node of drawn.graph.nodes) {
      this.#states.set(node.call.id, { state: 'blocked', missing: node.edges.length, readyMs: 0 })
    }
  }

  /** Resolves when every call has ended, one way or another; rejects only on a fault of our own. */
  run({ intendedMs, dueMs }: SessionStart): Promise<SessionRecord> {
    const { clock, recorder, signal, originMs } = this.#context
    // A timer may be early by the fraction of a millisecond.
    const readyMs = Math.min(dueMs, clock.now())
    recorder.sessionStarted()
    if (this.#standInTools.length > 0) this.#warnOfStandIns()
    const cut = () => this.#cutOff()
    signal.addEventListener('abort', cut, { once: true })
    return new Promise<void>((resolve, reject) => {
      this.#finish = () => resolve()
      this.#crash = reject
      if (signal.aborted) cut()
      else for (const node of this.#drawn.graph.nodes) if (node.edges.length === 0) this.#release(node, readyMs)
    })
      .then(() => this.#record(intendedMs - originMs))
      .finally(() => signal.removeEventListener('abort', cut))
  }

  /** All predecessors are done: the recorded wait begins. */
  #release(node: GraphNode, readyMs: number): void {
    const { clock } = this.#context
    const delayMs = readyMs + this.#plannedWaitMs(node) - clock.now()
    if (delayMs <= 0) {
      this.#send(node, readyMs)
      return
    }
    const timer = clock.after(delayMs, () => this.#send(node, readyMs))
    this.#states.set(node.call.id, { state: 'waiting', readyMs, timer })
  }

  #plannedWaitMs(node: GraphNode): number {
    const { timeScale, maxWaitMs } = this.#context.policy
    return Math.min(node.waitMs * timeScale, maxWaitMs)
  }

  #send(node: GraphNode, readyMs: number): void {
    const { policy, endpoint, recorder } = this.#context
    const { call } = node
    this.#states.set(call.id, { state: 'in-flight', readyMs })
    try {
      const input: LiveInput =
        policy.substitute === 'live' ? this.#history.inputFor(node) : this.#history.inputFor({ ...node, splices: [] })
      if (input.repaired > 0) this.#warnOfRepair()
      const steering = steer(call, this.#standInTools)
      recorder.requestSent()
      endpoint.send(this.#request(node, input, steering)).then(
        (exchange) => this.#settle(node, readyMs, exchange, input, steering),
        (error) => this.#crash(error),
      )
    } catch (error) {
      this.#crash(error)
    }
  }

  #request({ call }: GraphNode, { messages }: LiveInput, steering: Steering): EndpointRequest {
    const headers = this.#headers?.of(call)
    const { modelFor, policy, timeouts, signal } = this.#context
    const { maxTokens: _recordedLimit, ...params } = call.params
    return {
      model: modelFor(call.model, `session ${this.#drawn.id}, call ${call.id}`),
      messages,
      tools: steering.tools,
      ...(steering.toolChoice === undefined ? {} : { toolChoice: steering.toolChoice }),
      params: steering.maxTokens === undefined ? params : { ...params, maxTokens: steering.maxTokens },
      ...(steering.forceOutputTokens === undefined ? {} : { forceOutputTokens: steering.forceOutputTokens }),
      stream: policy.stream,
      ...(headers === undefined ? {} : { headers }),
      timeouts,
      signal,
    }
  }

  #settle(node: GraphNode, readyMs: number, received: Exchange, input: LiveInput, steering: Steering): void {
    try {
      const { policy, recorder, onOutcome } = this.#context
      const exchange = policy.includeConnect ? countedFromConnecting(received) : received
      this.#headers?.see(exchange)
      const outcome = judge(exchange, policy.onMalformedToolCall)
      if (exchange.sentMs !== null) this.#firstSentMs = Math.min(this.#firstSentMs ?? exchange.sentMs, exchange.sentMs)
      this.#lastEndMs = Math.max(this.#lastEndMs, exchange.endMs)
      recorder.requestEnded(
        requestRecord({
          planned: this.#planned(node),
          state: outcome.state,
          error: outcome.error,
          readyMs,
          exchange,
          input,
          steering,
        }),
        exchange.outputTimesMs,
      )
      onOutcome(outcomeOf(exchange))
      if (outcome.state === 'failed') this.#error ??= { ...outcome.error, call: node.call.id }
      if (outcome.state === 'succeeded' && exchange.result.state === 'ok') {
        this.#history.record(node.call.id, exchange.result.message, { usable: outcome.usable })
      }
      this.#end(node, outcome.state)
      if (outcome.state === 'succeeded') this.#unblockSuccessors(node, exchange.endMs)
      else if (outcome.state === 'failed') this.#cancelAfterFailure(node)
      this.#finishWhenSettled()
    } catch (error) {
      this.#crash(error)
    }
  }

  #unblockSuccessors(node: GraphNode, endMs: number): void {
    for (const id of this.#successors.get(node.call.id) ?? []) {
      const successor = this.#nodes.get(id)
      const current = this.#states.get(id)
      if (successor === undefined || current?.state !== 'blocked') continue
      const readyMs = Math.max(current.readyMs, endMs)
      const missing = current.missing - 1
      this.#states.set(id, { state: 'blocked', missing, readyMs })
      if (missing === 0) this.#release(successor, readyMs)
    }
  }

  #cancelAfterFailure(node: GraphNode): void {
    if (this.#context.policy.onCallFailure === 'cancel-session') {
      this.#stopUnstarted('cancelled')
      return
    }
    const queue = [node.call.id]
    for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
      for (const successor of this.#successors.get(id) ?? []) {
        if (this.#stop(successor, 'cancelled')) queue.push(successor)
      }
    }
  }

  /** Calls in flight end on their own: their requests carry the same signal. */
  #cutOff(): void {
    this.#stopUnstarted('cut-off')
    this.#finishWhenSettled()
  }

  #stopUnstarted(as: 'cancelled' | 'cut-off'): void {
    for (const id of this.#nodes.keys()) this.#stop(id, as)
  }

  #stop(id: string, as: 'cancelled' | 'cut-off'): boolean {
    const node = this.#nodes.get(id)
    const current = this.#states.get(id)
    if (node === undefined || (current?.state !== 'blocked' && current?.state !== 'waiting')) return false
    if (current.state === 'waiting') current.timer.cancel()
    const readyMs = current.state === 'waiting' ? current.readyMs : null
    this.#end(node, as)
    const { plannedOutputTokens } = steer(node.call, this.#standInTools)
    this.#context.recorder.requestEnded(
      requestRecord({
        planned: this.#planned(node),
        state: as,
        error: null,
        readyMs,
        exchange: null,
        steering: { plannedOutputTokens },
      }),
      null,
    )
    return true
  }

  #end(node: GraphNode, state: RequestState): void {
    this.#states.set(node.call.id, { state })
    this.#counts[state === 'cut-off' ? 'cutOff' : state]++
    this.#unsettled--
  }

  #finishWhenSettled(): void {
    if (this.#unsettled === 0) this.#finish(undefined as never)
  }

  /** What the options want to know of the spans a call came from. */
  #labels({ call }: GraphNode): Record<string, string> | undefined {
    const { labels } = this.#context.policy
    const found = Object.entries(labels ?? {}).flatMap(([label, attribute]) => {
      const value = attributeOf(call, this.#drawn.graph.session, attribute)
      return value === undefined ? [] : [[label, String(value)]]
    })
    return found.length === 0 ? undefined : Object.fromEntries(found)
  }

  #planned(node: GraphNode): PlannedCall {
    const labels = this.#labels(node)
    const { originMs, stage, modelFor } = this.#context
    return {
      session: this.#drawn.id,
      node,
      stage,
      originMs,
      model: modelFor(node.call.model, `session ${this.#drawn.id}, call ${node.call.id}`),
      waitMs: this.#plannedWaitMs(node),
      labels,
      uncappedWaitMs: node.waitMs * this.#context.policy.timeScale,
    }
  }

  #record(intendedMs: number): SessionRecord {
    const { originMs, stage, openLoop, recorder } = this.#context
    const calls: CallCounts = { ...this.#counts }
    const record: SessionRecord = {
      id: this.#drawn.id,
      recorded: this.#drawn.recordedId,
      source: this.#drawn.graph.session.source,
      stage,
      state: calls.failed > 0 ? 'failed' : calls.cutOff > 0 ? 'cut-off' : 'succeeded',
      intendedMs,
      startMs: this.#firstSentMs === null ? null : this.#firstSentMs - originMs,
      endMs: this.#lastEndMs - originMs,
      ...(openLoop ? { openLoop } : {}),
      calls,
      error: this.#error,
    }
    recorder.sessionEnded(record)
    return record
  }

  #warnOfStandIns(): void {
    this.#context.recorder.warn({
      code: 'tools-not-recorded',
      message:
        'The trace records tool calls but not the tools offered to the model; bare definitions stand in for them. Prompts are shorter than recorded and tool arguments free-form.',
      where: this.#drawn.recordedId,
    })
  }

  #warnOfRepair(): void {
    this.#context.recorder.warn({
      code: 'unpaired-tool-messages',
      message:
        'The recorded history holds tool calls without a result, or results without a call; servers refuse those, so they are sent as plain text.',
      where: this.#drawn.recordedId,
    })
  }
}

function countedFromConnecting(exchange: Exchange): Exchange {
  return exchange.sentMs === null ? exchange : { ...exchange, sentMs: exchange.queuedMs }
}

function successorsOf(nodes: readonly GraphNode[]): Map<string, string[]> {
  const successors = new Map<string, string[]>()
  for (const node of nodes) {
    for (const { from } of node.edges) {
      const list = successors.get(from)
      if (list === undefined) successors.set(from, [node.call.id])
      else list.push(node.call.id)
    }
  }
  return successors
}
