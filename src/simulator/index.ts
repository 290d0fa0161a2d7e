/** The embedded OpenAI-compatible inference server. */
export type { FaultAction, FaultCondition, FaultOptions, OmittedPart } from './fault-options.ts'
export type { ReasoningOptions, SimulatorOptions } from './options.ts'
export type { RequestOutcome, SimulatedRequest } from './request-log.ts'
export { type Simulator, startSimulator } from './simulator.ts'
