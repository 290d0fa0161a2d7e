/** Measurements → distributions, summaries and where the time went. */
export type {
  CallCounts,
  ClientRecord,
  DigestRecord,
  ErrorRecord,
  RequestRecord,
  RequestState,
  RunRecord,
  SessionRecord,
  SessionState,
  SpliceCounts,
  StageRecord,
  TargetRecord,
  WorkloadRecord,
} from './records.ts'
