/** Measurements → distributions, summaries and where the time went. */

export { type ClientLag, clientLag } from './client-lag.ts'
export { compactRecord, requestsOf, restOf } from './compact-record.ts'
export { breakDownSession, type PathStep, type SessionBreakdown, type TimeSplit } from './critical-path.ts'
export type { CriticalCall, CriticalPathSummary, TimeShares } from './critical-path-summary.ts'
export { createDigest, type Digest, EMPTY_DIGEST, mergeDigests } from './digest.ts'
export {
  type Distribution,
  ExactDistribution,
  enoughSamples,
  type Over,
  requiredSamples,
} from './distribution.ts'
export type { ErrorGroup } from './error-groups.ts'
export type { Fidelity, FidelityParts } from './fidelity.ts'
export { firstWaveWarning } from './first-wave.ts'
export { type Attainment, type Goodput, type GoodputConstraints, goodput } from './goodput.ts'
export { type Gradable, RELIEVE_THE_CLIENT } from './gradable.ts'
export { addInterTokenGaps } from './inter-token-latency.ts'
export { Interned, isSameJson } from './interned.ts'
export type { Measured, RequestCounts, SessionCounts } from './measured.ts'
export { mergeRunRecords } from './merge-run-records.ts'
export { parseRequestRecords, parseRunRecord, parseSessionRecord, refuseOtherVersion } from './record-schema.ts'
export type {
  CallCounts,
  ClientRecord,
  DigestRecord,
  ErrorRecord,
  GapsRecord,
  PolicyRecord,
  RequestRecord,
  RequestState,
  RunRecord,
  ServerRecord,
  ServerSample,
  SessionRecord,
  SessionState,
  SpliceCounts,
  SpliceEvidence,
  StageRecord,
  TargetRecord,
  ToolCallCounts,
  WorkloadRecord,
} from './records.ts'
export { RequestColumns } from './request-columns.ts'
export type { RequestList } from './request-list.ts'
export {
  cachedShare,
  normalizedTimePerOutputTokenMs,
  requestLatencyMs,
  scheduleLagMs,
  timePerOutputTokenMs,
  timeToFirstTokenMs,
} from './request-metrics.ts'
export { Run } from './run.ts'
export type { ServerLoad } from './server-load.ts'
export { workflowLatencyMs } from './session-metrics.ts'
export { SketchedDistribution } from './sketched-distribution.ts'
export type { SloUnit, SloVerdict } from './slo-verdict.ts'
export { StageView } from './stage-view.ts'
export { Subset } from './subset.ts'
export { describeFilter, type SubsetFilter } from './subset-filter.ts'
export type { Throughput } from './throughput.ts'
export { type TokenCount, tokensOf, tokenUsage } from './token-usage.ts'
export { worstDelay } from './worst-delay.ts'
