import { type Random, seededRandom } from '../base/index.ts'
import type { JsonObject } from './body-fields.ts'
import type { Fault, FaultDoing } from './fault-options.ts'
import type { GenerationRequest } from './generation-request.ts'

/** Decides for each request which fault, if any, befalls it. */
export class FaultPlan {
  readonly #faults: readonly PlannedFault[]

  constructor(faults: readonly Fault[], seed: number) {
    this.#faults = faults.map((fault, i) => ({ fault, random: seededRandom(seed, i), matched: 0 }))
  }

  /** The first fault whose condition holds. All count the request, so that one fault does not shift another's turn. */
  choose(body: JsonObject, request: GenerationRequest): FaultDoing | undefined {
    let chosen: FaultDoing | undefined
    for (const planned of this.#faults) {
      if (befalls(planned, body, request)) chosen ??= planned.fault.do
    }
    return chosen
  }
}

interface PlannedFault {
  readonly fault: Fault
  readonly random: Random
  /** Requests so far that are of the kind it is meant for. */
  matched: number
}

function befalls(planned: PlannedFault, body: JsonObject, request: GenerationRequest): boolean {
  const { model, textIncludes, match, nth, every, probability } = planned.fault.when
  if (model !== undefined && request.model !== model) return false
  if (textIncludes !== undefined && !request.includesText(textIncludes)) return false
  if (match !== undefined && !match(body)) return false
  planned.matched++
  if (probability !== undefined && planned.random() >= probability) return false
  if (nth !== undefined && ![nth].flat().includes(planned.matched)) return false
  return every === undefined || planned.matched % every === 0
}
