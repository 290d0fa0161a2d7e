import type { Warning } from '../base/index.ts'

/**
 * The one form in which a run is kept, merged and exchanged: plain JSON, no class, no typed array. Threads, shards, the
 * journal, reports and comparisons speak this.
 *
 * Times are milliseconds since the run started, from one monotonic clock.
 */
export interface RunRecord {
  readonly version: 1
  readonly name: string
  /** Wall clock, ISO 8601. */
  readonly startedAt: string
  readonly durationMs: number
  readonly workload: WorkloadRecord
  readonly target: TargetRecord
  /** Options that change what is replayed, and with it every figure. */
  readonly policy?: PolicyRecord
  readonly stages: readonly StageRecord[]
  readonly sessions: readonly SessionRecord[]
  /** Of a run that was measured or read, the array is made when it is asked for, and kept for no longer than someone holds it. */
  readonly requests: readonly RequestRecord[]
  readonly client: ClientRecord
  /** What the server said of itself, where it was asked. */
  readonly server?: ServerRecord
  readonly warnings: readonly Warning[]
  /** Why the run was ended before its work was done; absent when it ran to its end. */
  readonly aborted?: string
}

export interface WorkloadRecord {
  readonly name: string
  /** Content hash over the sessions as they were drawn. */
  readonly hash: string
  /** Distinct recorded sessions in the corpus. */
  readonly recordedSessions: number
  /** Which data it was, pinned: kind, data set, revision, commit, URL. Absent for files. */
  readonly origin?: Readonly<Record<string, string>>
}

export interface TargetRecord {
  readonly kind: string
  /** Without credentials or query. */
  readonly url: string
  readonly model: string
}

export interface PolicyRecord {
  readonly timeScale: number
  readonly maxWaitMs: number
  readonly substitute: 'live' | 'recorded'
  readonly stream: boolean
  readonly isolateCache: 'duplicates' | 'all' | 'none'
}

export interface StageRecord {
  readonly index: number
  /** Measured apart: not part of the run's own figures. */
  readonly warmup: boolean
  readonly concurrentSessions: number
  readonly sessionRate: number | null
  readonly startMs: number
  readonly endMs: number
  /** What was asked for, where the record says so. */
  readonly asked?: {
    readonly sessions: number | null
    readonly durationMs: number | null
    /** Absent: evenly, where they arrive at a rate. */
    readonly arrivals?: 'poisson'
    /** Absent: all of them from the start. */
    readonly ramp?: { readonly from: number; readonly to: number; readonly overMs: number }
  }
  /** Sessions asked for that never started, because the stage had ended. Absent: none. */
  readonly neverStarted?: number
  /** Inter-token gaps of this stage's successful requests, as t-digest centroids. */
  readonly interTokenLatency: DigestRecord
  /** The same gaps by what they are of, for figures over a part of the run. Absent where there were too many kinds. */
  readonly interTokenLatencyBy?: readonly GapsRecord[]
}

/** Inter-token gaps of the calls that share a model, a name and an agent. */
export interface GapsRecord {
  readonly model: string
  readonly name: string
  readonly agent?: string
  readonly digest: DigestRecord
}

/** Centroids of a t-digest: mean and weight, ordered by mean. */
export interface DigestRecord {
  readonly count: number
  readonly min: number | null
  readonly max: number | null
  readonly centroids: readonly (readonly [mean: number, weight: number])[]
}

export type SessionState = 'succeeded' | 'failed' | 'cut-off'

export interface SessionRecord {
  readonly id: string
  /** Id of the recorded session this one replays; differs from `id` for duplicates (`x#2`). */
  readonly recorded: string
  readonly source: string
  readonly stage: number
  readonly state: SessionState
  /** Intended start (its slot or arrival), and first call sent. `null`: nothing was sent. */
  readonly intendedMs: number
  readonly startMs: number | null
  readonly endMs: number
  /** It arrived at a rate, whether there was room for it or not: its latency counts from `intendedMs`. Absent: no. */
  readonly openLoop?: true
  readonly calls: CallCounts
  /** The first failure. */
  readonly error: ErrorRecord | null
}

export interface CallCounts {
  readonly succeeded: number
  readonly failed: number
  readonly cancelled: number
  readonly cutOff: number
}

export interface ErrorRecord {
  /** Stable and groupable: `http_503`, `idle_timeout`, `truncated`, … */
  readonly label: string
  readonly message: string
  /** The call it happened in. */
  readonly call?: string
}

/** `cancelled`: never sent, because a call it needed (or its session) had failed. `cut-off`: the stage or the user ended it. */
export type RequestState = 'succeeded' | 'failed' | 'cancelled' | 'cut-off'

export interface RequestRecord {
  readonly session: string
  readonly call: string
  /** The recorded span's name. */
  readonly name: string
  /** The agent on whose behalf the call ran, where the trace says so. */
  readonly agent?: string
  /** What the spans say, under the names the options gave it. Absent without any. */
  readonly labels?: Readonly<Record<string, string>>
  /** Model asked for. */
  readonly model: string
  readonly stage: number
  readonly state: RequestState
  readonly error: ErrorRecord | null
  /** Direct predecessors by call id. */
  readonly after: readonly string[]
  /** All predecessors done (a root: the session's start). `null` when that never came. */
  readonly readyMs: number | null
  /** Recorded wait as planned for this run, scaled and capped. */
  readonly waitMs: number
  /** The same before it was capped, where that made a difference. */
  readonly uncappedWaitMs?: number
  /** `readyMs + waitMs` → `sentMs` is the client's own delay plus connecting. */
  readonly sentMs: number | null
  /** Part of the time before `sentMs` that was spent waiting for a connection. */
  readonly connectMs: number
  readonly firstOutputMs: number | null
  readonly lastOutputMs: number | null
  readonly endMs: number | null
  /** Chunks that carried output. */
  readonly outputChunks: number
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  /** `null` when the server does not report it. */
  readonly cachedInputTokens: number | null
  /** Token counts are estimates: the server sent no usage. */
  readonly tokensEstimated: boolean
  /** Output tokens the recording says this call had; what was asked for. */
  readonly plannedOutputTokens: number | null
  readonly splices: SpliceCounts
  /** Prompt tokens the recording says this call had, where it says so. */
  readonly recordedInputTokens?: number
  /** The direct predecessor whose input and output this call's input goes on from: what a prefix cache would know of it. */
  readonly continues?: string
  /** The answer's tool calls against the recorded ones. Absent where neither had any, or there was no answer. */
  readonly toolCalls?: ToolCallCounts
}

/** How a request's live substitutions came out. */
export interface SpliceCounts {
  /** Places that took the live output. */
  readonly live: number
  /** Places where the recorded turn stood in, because the live model strayed. */
  readonly diverged: number
  /** Both by what showed that the place is a predecessor's output. */
  readonly by?: { readonly [Evidence in SpliceEvidence]?: { readonly live: number; readonly diverged: number } }
}

/** `'earlier'`: the output of no direct predecessor, carried along in the history. */
export type SpliceEvidence = 'context' | 'output' | 'tool-call-id' | 'hand-off' | 'earlier'

/** Tool calls of an answer, paired with the recorded ones by function name. */
export interface ToolCallCounts {
  /** As recorded: the same function, with arguments that are JSON. */
  readonly matched: number
  /** Recorded, and without a counterpart. */
  readonly missing: number
  /** Live, and without a counterpart. */
  readonly extra: number
  /** Another function where one was recorded. */
  readonly renamed: number
  /** The same function, with arguments that are not JSON. */
  readonly malformed: number
}

/** How the load client itself fared. */
export interface ClientRecord {
  /** Event-loop delay over the run. */
  readonly eventLoopDelayMs: { readonly p50: number; readonly p99: number; readonly max: number }
  /** What it ran on: `linux x64, 8 × AMD EPYC 7B13`. */
  readonly machine?: string
}

/** Looks at the server's own metrics over a run. */
export interface ServerRecord {
  /** In order of time. */
  readonly samples: readonly ServerSample[]
}

/** What an inference server says of itself at one moment; `null` where it does not. */
export interface ServerSample {
  readonly atMs: number
  /** Requests that the model works on. */
  readonly running: number | null
  /** Requests in its queue. */
  readonly waiting: number | null
  /** Share of the KV cache in use, 0 to 1. */
  readonly kvCacheUsage: number | null
  /** Since the server started, as are the next two: requests that had to give up their place in the KV cache. */
  readonly preemptions: number | null
  /** Prompt tokens found in the prefix cache … */
  readonly prefixHitTokens: number | null
  /** … of those looked for. */
  readonly prefixQueryTokens: number | null
}
