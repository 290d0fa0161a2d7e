/** Where sessions come from. */
export { Corpus, type DrawnSession, type IsolateCache } from './corpus.ts'
export { findTraceFiles } from './find-trace-files.ts'
export { type TracesOptions, traces } from './traces.ts'
export type { InvalidTracePolicy, Workload, WorkloadContext } from './workload.ts'
