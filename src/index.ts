/**
 * Recorded traces of AI agents as performance tests.
 *
 * @packageDocumentation
 */
export { type Duration, type ErrorCode, TraceReplayError, type Warning } from './base/index.ts'
export { type Capture, type CaptureOptions, startCapture } from './capture/index.ts'
export type { ApiName, MetricsOptions, TargetKind, TargetOptions, TimeoutOptions, TlsOptions } from './endpoint/index.ts'
export { buildGraph, type Edge, type EdgeKind, type GraphNode, type ReplayGraph, type Splice } from './graph/index.ts'
export type { Call, Message, Part, Session, TokenUsage, ToolDefinition } from './message/index.ts'
export {
  type CriticalPathSummary,
  type Distribution,
  type ErrorGroup,
  type Fidelity,
  type Goodput,
  type GoodputConstraints,
  type Gradable,
  type Measured,
  mergeRunRecords,
  type RequestRecord,
  Run,
  type RunRecord,
  type ServerLoad,
  type SessionBreakdown,
  type SessionRecord,
  type StageView,
  type Subset,
  type SubsetFilter,
  type Throughput,
} from './metrics/index.ts'
export {
  type CapacitySlo,
  type ComparedRuns,
  type CompareOptions,
  compare,
  type FindCapacityOptions,
  findCapacity,
  type PercentileLimits,
  type Progress,
  type ReplayOptions,
  replay,
  type StageOptions,
} from './replay/index.ts'
export {
  type FaultAction,
  type FaultCondition,
  type FaultOptions,
  type SimulatedRequest,
  type Simulator,
  type SimulatorOptions,
  startSimulator,
} from './simulator/index.ts'
export type { Capacity, CapacityPoint, SearchOutcome } from './stats/index.ts'
export { readSessions, type SessionBy, type SpanFacts, type TraceFile } from './trace/index.ts'
export {
  type ChangeLimit,
  type ChangeLimits,
  type GoodputFloors,
  type GoodputLimits,
  type GoodputOptions,
  type LatencyLimits,
  type LatencyOptions,
  type RegressionLimits,
  type RegressionOptions,
  type ReplayFixtures,
  type ReplayMatchers,
  type ReplayTest,
  type ReplayTestAPI,
  type ReplayTestContext,
  replayTest,
  type Scenario,
  type Share,
  type SustainedLoad,
  type ThroughputFloors,
  type TokenLimits,
  type TokenUsageLimits,
  type TokenUsageOptions,
  test,
} from './vitest/index.ts'
export {
  type HuggingFaceOptions,
  huggingFace,
  type TracesOptions,
  traces,
  type Workload,
  type WorkloadContext,
  type WorkloadOrigin,
  type WorkloadProgress,
} from './workload/index.ts'
