import { TraceReplayError } from '../base/index.ts'
import type { Target } from '../endpoint/index.ts'

/** What the embedded simulator is asked for when the trace names no model. */
const FALLBACK_SIMULATED_MODEL = 'simulated'

/** What a target says of models. */
export type ModelRules = Pick<Target, 'kind' | 'model' | 'models'>

/**
 * Which model a call asks for.
 *
 * @throws {TraceReplayError} `INVALID_OPTION` when neither the trace nor the target names one
 */
export function modelRule(target: ModelRules): (recordedModel: string, where: string) => string {
  return (recordedModel, where) => {
    const mapped = Object.hasOwn(target.models, recordedModel) ? target.models[recordedModel] : undefined
    const model = mapped ?? target.model ?? (recordedModel || (target.kind === 'simulator' ? FALLBACK_SIMULATED_MODEL : ''))
    if (model !== '') return model
    throw new TraceReplayError('INVALID_OPTION', `${where}: the trace names no model, and \`target.model\` is not set. Set it.`)
  }
}
