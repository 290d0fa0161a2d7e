import { inspect } from 'node:util'
import { TraceReplayError } from '../../base/index.ts'
import { renderCapacityFailure } from '../../report/index.ts'
import type { Capacity } from '../../stats/index.ts'
import { type MatcherResult, type ReplayMatcher, withoutOwnFrames } from './judge.ts'

/** The load that a target must bear. */
export interface SustainedLoad {
  readonly concurrentSessions: number
}

export interface SustainMatcher<Result> {
  /**
   * Whether a target bears so many sessions at once within the SLO that its capacity was searched for.
   *
   * @example
   * const capacity = await findCapacity({ … })
   * expect(capacity).toSustain({ concurrentSessions: 50 })
   */
  toSustain(load: SustainedLoad): Result
}

const matcher = 'toSustain'

export const toSustain: ReplayMatcher<[load: SustainedLoad]> = function sustain(received, load): MatcherResult {
  const inverted = this.isNot === true
  const hint = this.utils.matcherHint(matcher, 'capacity', inspect(load), { isNot: inverted, promise: this.promise ?? '' })
  checkCapacity(received, hint, sustain)
  const concurrentSessions = withoutOwnFrames(sustain, () => parseLoad(load))
  const ungradable = reasonAgainst(received, concurrentSessions)
  const failure = { capacity: received, concurrentSessions, inverted, ...(ungradable === undefined ? {} : { ungradable }) }
  return {
    // What cannot be judged fails, with `.not` too.
    pass: ungradable === undefined ? concurrentSessions <= received.concurrentSessions : inverted,
    message: () => `${hint}\n\n${renderCapacityFailure(failure)}`,
  }
}

/** Beyond what the search tried it knows nothing. */
function reasonAgainst(
  { concurrentSessions: most, lowestFailing, range, unfinished }: Capacity,
  asked: number,
): string | undefined {
  if (asked <= most || (lowestFailing !== null && asked >= lowestFailing)) return undefined
  if (most === 0 && lowestFailing === range.from) {
    return `${range.from} sessions at once did not meet the SLO, and fewer were not tried. Lower \`concurrentSessions.from\``
  }
  if (unfinished !== undefined) return `the search ended early: ${unfinished}`
  if (lowestFailing === null)
    return `all ${range.to} sessions at once met the SLO, and the search went no further. Raise \`concurrentSessions.to\``
  return undefined
}

function parseLoad(load: unknown): number {
  if (typeof load !== 'object' || load === null) {
    const meant = typeof load === 'number' ? ` Did you mean \`{ concurrentSessions: ${load} }\`?` : ''
    throw misuse(`the load is ${inspect(load)}, expected \`{ concurrentSessions: 50 }\`.${meant}`)
  }
  for (const name of Object.keys(load)) {
    if (name !== 'concurrentSessions') throw misuse(`unknown option \`${name}\`. Known: concurrentSessions.`)
  }
  const { concurrentSessions } = load as { concurrentSessions?: unknown }
  if (typeof concurrentSessions === 'number' && Number.isInteger(concurrentSessions) && concurrentSessions > 0)
    return concurrentSessions
  throw misuse(`\`concurrentSessions\` is ${inspect(concurrentSessions)}, expected a whole number above 0.`)
}

function checkCapacity(received: unknown, hint: string, self: CallableFunction): asserts received is Capacity {
  if (typeof received === 'object' && received !== null && 'curve' in received && 'lowestFailing' in received) return
  const advice =
    typeof received !== 'object' || received === null
      ? ''
      : 'then' in received
        ? ' Did you forget to await it? `const capacity = await findCapacity({ … })`'
        : 'workflowLatency' in received
          ? ' A run is one load: give the run to the other matchers, or search with `findCapacity({ … })`.'
          : ''
  const what =
    received === null || received === undefined
      ? String(received)
      : typeof received === 'object'
        ? 'an object'
        : inspect(received)
  const error = new TypeError(`${hint}\n\nMatcher error: expected what findCapacity() gave, but received ${what}.${advice}`)
  Error.captureStackTrace?.(error, self)
  throw error
}

function misuse(message: string): TraceReplayError {
  return new TraceReplayError('INVALID_OPTION', `${matcher}: ${message}`)
}
