import type { Clock, Timer } from '../base/index.ts'
import type { Endpoint, EndpointRequest, Exchange, RequestTimeouts } from '../endpoint/index.ts'
import type { GraphNode } from '../graph/index.ts'
import type { CallCounts, ErrorRecord, RequestState, SessionRecord } from '../metrics/index.ts'
import type { DrawnSession } from '../workload/index.ts'
import { judge, outcomeOf } from './call-outcome.ts'
import { LiveHistory, type LiveInput } from './live-history.ts'
import type { CallPolicy } from './options-schema.ts'
import { type PlannedCall, requestRecord } from './request-record.ts'
import { attributeOf, type HeaderRules, SessionHeaders } from './session-headers.ts'
import type { SessionOrder } from './session-host.ts'
import { type Blocked, type SessionPlan, type Step, sessionPlan } from './session-plan.ts'
import { type Steering, steer } from './steer.ts'

/** What all sessions of a host have in common. */
export interface SessionContext {
  readonly clock: Clock
  readonly endpoint: Endpoint
  readonly timeouts: RequestTimeouts
  readonly policy: CallPolicy
  readonly modelFor: (recordedModel: string, where: string) => string
  /** @default none */
  readonly headerRules?: HeaderRules
}

/** A call whose predecessors are done, and whose recorded wait has not passed. */
interface Waiting {
  readonly state: 'waiting'
  readonly readyMs: number
  readonly timer: Timer
}

const ONCE = { once: true } as const

/**
 * Replays one session: each call is sent when its direct predecessors are done and its recorded wait has passed, with
 * their live outputs in its input. A waiting call holds a timer and nothing else.
 */
export class SessionRun {
  readonly #drawn: DrawnSession
  readonly #order: SessionOrder
  readonly #context: SessionContext
  readonly #plan: SessionPlan
  /** What each step waits for, by its index; `undefined` once it was sent, or never will be. */
  readonly #unsent: (Blocked | Waiting | undefined)[]
  readonly #history: LiveHistory
  readonly #headers: SessionHeaders | undefined
  readonly #counts = { succeeded: 0, failed: 0, cancelled: 0, cutOff: 0 }
  #unsettled: number
  #firstSentMs: number | null = null
  #lastEndMs: number
  #error: ErrorRecord | null = null
  /** What `run` has given, until the session has ended. */
  #promised: { readonly resolve: (record: SessionRecord) => void; readonly reject: (error: unknown) => void } | undefined

  constructor(drawn: DrawnSession, order: SessionOrder, context: SessionContext) {
    this.#drawn = drawn
    this.#order = order
    this.#context = context
    this.#headers = context.headerRules && new SessionHeaders(context.headerRules, drawn.id, drawn.graph.session)
    this.#history = new LiveHistory(drawn.marker)
    this.#plan = sessionPlan(drawn.graph)
    this.#unsent = this.#plan.steps.map((step) => step.blocked)
    this.#unsettled = this.#unsent.length
    this.#lastEndMs = context.clock.now()
  }

  /** Resolves when every call has ended, one way or another; rejects only on a fault of our own. */
  run(): Promise<SessionRecord> {
    const { recorder, signal, dueMs } = this.#order
    // A timer may be early by the fraction of a millisecond.
    const readyMs = Math.min(dueMs, this.#context.clock.now())
    recorder.sessionStarted()
    if (this.#plan.standInTools.length > 0) this.#warnOfStandIns()
    return new Promise<SessionRecord>((resolve, reject) => {
      this.#promised = { resolve, reject }
      signal.addEventListener('abort', this.#cutOff, ONCE)
      if (signal.aborted) this.#cutOff()
      else for (const step of this.#plan.steps) if (step.blocked.missing === 0) this.#release(step, readyMs)
    })
  }

  /** All predecessors are done: the recorded wait begins. */
  #release(step: Step, readyMs: number): void {
    const { clock } = this.#context
    const delayMs = readyMs + this.#plannedWaitMs(step.node) - clock.now()
    if (delayMs <= 0) {
      this.#send(step, readyMs)
      return
    }
    const timer = clock.after(delayMs, () => this.#send(step, readyMs))
    this.#unsent[step.index] = { state: 'waiting', readyMs, timer }
  }

  #plannedWaitMs(node: GraphNode): number {
    const { timeScale, maxWaitMs } = this.#context.policy
    return Math.min(node.waitMs * timeScale, maxWaitMs)
  }

  #send(step: Step, readyMs: number): void {
    const { policy, endpoint } = this.#context
    const { node } = step
    this.#unsent[step.index] = undefined
    try {
      const input: LiveInput =
        policy.substitute === 'live' ? this.#history.inputFor(node) : this.#history.inputFor({ ...node, splices: [] })
      if (input.repaired > 0) this.#warnOfRepair()
      const steering = steer(node.call, this.#plan.standInTools)
      this.#order.recorder.requestSent()
      endpoint.send(this.#request(node, input, steering)).then(
        (exchange) => this.#settle(step, readyMs, exchange, input, steering),
        (error) => this.#crash(error),
      )
    } catch (error) {
      this.#crash(error)
    }
  }

  #request({ call }: GraphNode, { messages }: LiveInput, steering: Steering): EndpointRequest {
    const headers = this.#headers?.of(call)
    const { modelFor, policy, timeouts } = this.#context
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
      signal: this.#order.signal,
    }
  }

  #settle(step: Step, readyMs: number, received: Exchange, input: LiveInput, steering: Steering): void {
    const { node } = step
    try {
      const { policy } = this.#context
      const { recorder, onOutcome } = this.#order
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
      this.#end(outcome.state)
      if (outcome.state === 'succeeded') this.#unblockSuccessors(step, exchange.endMs)
      else if (outcome.state === 'failed') this.#cancelAfterFailure(step)
      this.#finishWhenSettled()
    } catch (error) {
      this.#crash(error)
    }
  }

  #unblockSuccessors({ successors }: Step, endMs: number): void {
    for (const successor of successors) {
      const unsent = this.#unsent[successor.index]
      if (unsent?.state !== 'blocked') continue
      const readyMs = Math.max(unsent.readyMs, endMs)
      const missing = unsent.missing - 1
      this.#unsent[successor.index] = { state: 'blocked', missing, readyMs }
      if (missing === 0) this.#release(successor, readyMs)
    }
  }

  #cancelAfterFailure(failed: Step): void {
    if (this.#context.policy.onCallFailure === 'cancel-session') {
      this.#stopUnsent('cancelled')
      return
    }
    const queue = [failed]
    for (let step = queue.pop(); step !== undefined; step = queue.pop()) {
      for (const successor of step.successors) {
        if (this.#stop(successor, 'cancelled')) queue.push(successor)
      }
    }
  }

  /** Calls in flight end on their own: their requests carry the same signal. */
  readonly #cutOff = (): void => {
    try {
      this.#stopUnsent('cut-off')
      this.#finishWhenSettled()
    } catch (error) {
      this.#crash(error)
    }
  }

  #stopUnsent(as: 'cancelled' | 'cut-off'): void {
    for (const step of this.#plan.steps) this.#stop(step, as)
  }

  #stop({ node, index }: Step, as: 'cancelled' | 'cut-off'): boolean {
    const unsent = this.#unsent[index]
    if (unsent === undefined) return false
    this.#unsent[index] = undefined
    if (unsent.state === 'waiting') unsent.timer.cancel()
    const readyMs = unsent.state === 'waiting' ? unsent.readyMs : null
    this.#end(as)
    const { plannedOutputTokens } = steer(node.call, this.#plan.standInTools)
    this.#order.recorder.requestEnded(
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

  #end(state: RequestState): void {
    this.#counts[state === 'cut-off' ? 'cutOff' : state]++
    this.#unsettled--
  }

  #finishWhenSettled(): void {
    if (this.#unsettled > 0 || this.#promised === undefined) return
    this.#order.signal.removeEventListener('abort', this.#cutOff)
    this.#promised.resolve(this.#record())
    this.#promised = undefined
  }

  /** A fault of our own. Nothing is recorded of the session any more. */
  #crash(error: unknown): void {
    this.#order.signal.removeEventListener('abort', this.#cutOff)
    this.#promised?.reject(error)
    this.#promised = undefined
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
    const { originMs, stage } = this.#order
    return {
      session: this.#drawn.id,
      node,
      stage,
      originMs,
      model: this.#context.modelFor(node.call.model, `session ${this.#drawn.id}, call ${node.call.id}`),
      waitMs: this.#plannedWaitMs(node),
      labels,
      uncappedWaitMs: node.waitMs * this.#context.policy.timeScale,
    }
  }

  #record(): SessionRecord {
    const { originMs, intendedMs, stage, openLoop, recorder } = this.#order
    const calls: CallCounts = { ...this.#counts }
    const record: SessionRecord = {
      id: this.#drawn.id,
      recorded: this.#drawn.recordedId,
      source: this.#drawn.graph.session.source,
      stage,
      state: calls.failed > 0 ? 'failed' : calls.cutOff > 0 ? 'cut-off' : 'succeeded',
      intendedMs: intendedMs - originMs,
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
    this.#order.recorder.warn({
      code: 'tools-not-recorded',
      message:
        'The trace records tool calls but not the tools offered to the model; bare definitions stand in for them. Prompts are shorter than recorded and tool arguments free-form.',
      where: this.#drawn.recordedId,
    })
  }

  #warnOfRepair(): void {
    this.#order.recorder.warn({
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
