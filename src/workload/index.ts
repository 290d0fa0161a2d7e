/** Where sessions come from. */
export { Corpus, type CorpusOrder, type DrawnSession, type IsolateCache } from './corpus.ts'
export { findTraceFiles } from './find-trace-files.ts'
export {
  formatBytes,
  type HuggingFaceOptions,
  huggingFace,
  type LocalTraceFile,
  type PlannedFile,
  Publication,
  type PublicationPlan,
} from './hugging-face/index.ts'
export { readTraceFile } from './read-trace-file.ts'
export { type TracesOptions, traces } from './traces.ts'
export type { InvalidTracePolicy, Workload, WorkloadContext, WorkloadOrigin, WorkloadProgress } from './workload.ts'
