/** Where sessions come from. */
export type { InvalidTracePolicy, Workload, WorkloadContext } from './workload.ts'
