import type { Duration } from '../base/index.ts'
import type { TargetOptions } from '../endpoint/index.ts'
import type { SimulatorOptions } from '../simulator/index.ts'
import type { InvalidTracePolicy, IsolateCache, Workload, WorkloadProgress } from '../workload/index.ts'
import type { Progress } from './progress.ts'

/** What to replay, where, and how. */
export interface ReplayOptions {
  /** Shown in reports. @default the workload's name */
  readonly name?: string
  /** @see {@link traces} */
  readonly workload: Workload
  /** The inference server. Without one the embedded simulator answers: it proves the test, not a server. */
  readonly target?: TargetOptions
  /** How the embedded simulator behaves; only without `target`. @default a small, healthy server */
  readonly simulator?: SimulatorOptions
  /** Run one after the other; each draws the next sessions of the workload. */
  readonly stages: readonly StageOptions[]
  /** Factor on recorded waits (tool run times, think time): `0` drops them. @default 1 */
  readonly timeScale?: number
  /** Longest wait before a call, after scaling. @default '15s' */
  readonly maxWait?: Duration
  /** Whether later requests carry the model's live outputs or the recorded ones. @default 'live' */
  readonly substitute?: 'live' | 'recorded'
  /** What to do when the model's tool call is not valid JSON. @default 'use-recorded' */
  readonly onMalformedToolCall?: 'use-recorded' | 'send' | 'fail'
  /** @default 'cancel-session' */
  readonly onCallFailure?: 'cancel-session' | 'cancel-dependents'
  /** @default 'fail' */
  readonly onInvalidTrace?: InvalidTracePolicy
  /** Replays the workload again and again until a pass has this many sessions: `x`, `x#2`, `x#3`, … @default each recorded session once */
  readonly duplicateTo?: number
  /** A seed: every pass over the workload is in an order that the seed determines. Reads the whole workload first. @default the workload's order */
  readonly shuffle?: number
  /**
   * Worker threads that replay sessions; what may be in flight, when sessions start and in which order is as on one thread.
   * `'auto'`: one less than the machine has processors. @default 1
   */
  readonly threads?: number | 'auto'
  /** Which sessions get a marker of their own at the head of their first message, so that the server's prefix cache cannot know them. @default 'duplicates' */
  readonly isolateCache?: IsolateCache
  /** Stream responses. Without streaming TTFT is the whole latency and there is no TPOT or ITL. @default true */
  readonly stream?: boolean
  /**
   * Latencies count from when the call was handed to its connection, connecting included, instead of from when the request
   * was sent. For services that clients reach over a new connection each time. @default false
   */
  readonly includeConnect?: boolean
  /** Label → the span attribute (of the call, else of its session) whose value each request's record carries under it: `{ tenant: 'tenant.id' }`. @default none */
  readonly labels?: Readonly<Record<string, string>>
  /**
   * Keeps the run on disk while it is under way, in a folder of its own: each finished session, with its requests, is a line
   * of `sessions.jsonl`. The latest 20 runs are kept, and those still under way. @default true: `.trace-replay/` below `cwd`
   */
  readonly journal?: boolean | { readonly folder?: string; readonly requests?: boolean }
  /** Ends the run: every socket is closed and what was measured is still returned. */
  readonly signal?: AbortSignal
  /** Called a few times a second. */
  readonly onProgress?: (progress: Progress) => void
  /** Called a few times a second while a workload fetches its data. @default a line per large file on stderr */
  readonly onWorkloadProgress?: (progress: WorkloadProgress) => void
  /** What relative trace paths are relative to. @default process.cwd() */
  readonly cwd?: string
}

/** From one number of sessions in flight to another. Afterwards the last one holds. */
export interface ConcurrencyRamp {
  readonly from: number
  readonly to: number
  readonly over: Duration
}

/** One step of the load. */
export interface StageOptions {
  /** Most sessions in flight at once; `0` means no limit. A ramp moves it evenly, in whole sessions. */
  readonly concurrentSessions: number | ConcurrencyRamp
  /** How many sessions this stage replays. More than the workload holds repeats it, each repetition isolated in the server's cache. @default all that are left of one pass over the workload; with `duration`, as many as fit */
  readonly sessions?: number
  /**
   * Sessions that arrive per second; without it a session starts as soon as there is room. Workflow latency then counts from
   * the arrival: a server that falls behind cannot slow down the load that shows it.
   */
  readonly sessionRate?: number
  /** How they arrive: evenly, or as independent users do, whose arrivals are a Poisson process (the same one in each run). @default 'fixed' */
  readonly arrivals?: 'fixed' | 'poisson'
  /**
   * No session starts after this long; those in flight finish. `0` is none. Where nothing else limits the sessions, one that
   * cannot reach the server keeps its room for a second: a server that is down is not tried as fast as it can refuse.
   * @default none
   */
  readonly duration?: Duration
  /** Sessions still in flight after this long are cut off. `0` is none. @default none */
  readonly timeout?: Duration
  /** Measured apart: not part of the run's own figures. @default false */
  readonly warmup?: boolean
}
