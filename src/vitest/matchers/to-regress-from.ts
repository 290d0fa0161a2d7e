import { inspect } from 'node:util'
import type { MatcherState } from 'vitest'
import { TraceReplayError } from '../../base/index.ts'
import type { Run, SloVerdict, StageView, Subset } from '../../metrics/index.ts'
import { belowFloorText, changeNotes, comparisonLabel, comparisonSections, renderSloFailure } from '../../report/index.ts'
import { type Change, type Comparison, type ComparisonResult, compareRuns, type LatencyChange } from '../../stats/index.ts'
import { describeReceiver, type MatcherResult, noteVerdicts, placeOf, type ReplayMatcher, withoutOwnFrames } from './judge.ts'
import { checkReceiver, type Receiver, recordOf } from './receiver.ts'
import {
  parseRegressionLimits,
  parseRegressionOptions,
  type RegressionLimits,
  type RegressionOptions,
} from './regression-limits.ts'

export interface RegressionMatcher<Result> {
  /**
   * Whether the run is worse than a base run of the same sessions, pair by pair, by more than is tolerated: a figure has
   * regressed when its whole 95 % interval lies beyond the limit. Meant to be used with `.not`.
   *
   * @param limits @default `{ workflowLatency: { typical: '5%', tail: '10%' }, sessionSuccessRate: '1%' }`
   *
   * @example
   * const { base, head } = await compare({ … })
   * expect(head).not.toRegressFrom(base, { workflowLatency: { typical: '5%', tail: '10%' }, sessionSuccessRate: '1%' })
   */
  toRegressFrom(base: Run | StageView | Subset, limits?: RegressionLimits, options?: RegressionOptions): Result
}

const matcher = 'toRegressFrom'

export const toRegressFrom: ReplayMatcher<[base: unknown, limits?: RegressionLimits, options?: RegressionOptions]> =
  function regression(received, base, ...settings): MatcherResult {
    const isNot = this.isNot === true
    const hint = hintOf(this, settings)
    checkReceiver(received, hint, regression)
    checkReceiver(base, `${hint}\n\nThe base run is wrong.`, regression)
    const { limits, onInconclusive } = withoutOwnFrames(regression, () => {
      if (base === received) throw new TraceReplayError('INVALID_OPTION', `${matcher}: the run is compared with itself.`)
      return { limits: parseRegressionLimits(settings[0]), ...parseRegressionOptions(settings[1]) }
    })
    const compared = comparison(base, received, limits)
    const { run, scenario } = describeReceiver(received)
    // Without a verdict of its own: so that the table shows both sides.
    noteVerdicts(describeReceiver(base).run, this.task, [])
    if ('ungradable' in compared) {
      const { ungradable } = compared
      const verdicts = refusedVerdicts(limits, received, ungradable)
      noteVerdicts(
        run,
        this.task,
        verdicts.map((verdict) => ({ verdict })),
      )
      return {
        // What cannot be judged fails, with `.not` and without.
        pass: isNot,
        message: () =>
          `${hint}\n\n${renderSloFailure({ scenario, measured: received, verdicts: verdicts.map(({ note: _, ...verdict }) => verdict), ungradable, sections: [] })}`,
      }
    }
    const { changes, slowed } = compared
    const verdicts = changes.map((change) => verdictOn(change, received, isNot && onInconclusive === 'fail'))
    noteVerdicts(
      run,
      this.task,
      verdicts.map((verdict) => ({ verdict, inverted: !isNot })),
    )
    const sections = comparisonSections(changes, isNot ? slowed : [])
    return {
      pass: verdicts.some(({ pass }) => !pass),
      message: () => `${hint}\n\n${renderSloFailure({ scenario, measured: received, verdicts, inverted: !isNot, sections })}`,
    }
  }

function hintOf({ utils, isNot, promise }: MatcherState, settings: readonly unknown[]): string {
  const shown = settings.map((argument) => inspect(argument, { breakLength: Number.POSITIVE_INFINITY }))
  return utils.matcherHint(matcher, 'head', ['base', ...shown].join(', '), { isNot: isNot === true, promise: promise ?? '' })
}

function comparison(base: Receiver, head: Receiver, limits: Comparison): ComparisonResult | { readonly ungradable: string } {
  for (const [name, { gradable }] of [
    ['base', base],
    ['head', head],
  ] as const) {
    if (!gradable.ok) return { ungradable: `of the ${name} run, ${gradable.reason}` }
  }
  try {
    const side = (measured: Receiver) => ({ measured, record: recordOf(measured) })
    const result = compareRuns(side(base), side(head), limits)
    const empty = result.changes.find(isEmpty)
    return empty === undefined ? result : { ungradable: emptiness(empty) }
  } catch (error) {
    if (error instanceof TraceReplayError && error.code === 'NOT_GRADABLE') return { ungradable: error.message }
    throw error
  }
}

function isEmpty(change: Change): boolean {
  return change.kind === 'latency' && Number.isNaN(change.change)
}

function emptiness(change: Change): string {
  const label = comparisonLabel(change)
  return change.kind === 'latency' && change.pairs > 0
    ? `so much failed on the base that there is no ${label} to compare with`
    : `no session carried the metric on both sides: ${label}`
}

/** Slower by a larger share than is tolerated, and by less than anyone would notice. */
function isBelowFloor(change: Change): change is LatencyChange {
  return change.kind === 'latency' && change.outcome === 'held' && change.change > change.tolerance.relative
}

function refusedVerdicts({ latencies, successRate }: Comparison, head: Receiver, reason: string): SloVerdict[] {
  const nothing = { matcher, observed: null, samples: 0, pass: false, note: `not gradable: ${reason}`, ...placeOf(head) }
  return [
    ...latencies.map((question) => ({ ...nothing, label: comparisonLabel(question), ...ceiling(question.tolerance.relative) })),
    ...(successRate === undefined ? [] : [{ ...nothing, label: comparisonLabel({}), ...floor(successRate) }]),
  ]
}

function ceiling(relative: number): Pick<SloVerdict, 'limit' | 'unit' | 'direction'> {
  return { limit: relative, unit: 'change', direction: 'ceiling' }
}

function floor(drop: number): Pick<SloVerdict, 'limit' | 'unit' | 'direction'> {
  return { limit: drop === 0 ? 0 : -drop, unit: 'points', direction: 'floor' }
}

function verdictOn(change: Change, head: Receiver, inconclusiveFails: boolean): SloVerdict {
  const inconclusive = change.outcome === 'inconclusive'
  const notes = changeNotes(change)
  return {
    matcher,
    label: comparisonLabel(change),
    observed: Number.isFinite(change.change) ? change.change : null,
    ...(change.kind === 'latency' ? ceiling(change.tolerance.relative) : floor(change.tolerance)),
    pass: change.outcome === 'held' || (inconclusive && !inconclusiveFails),
    samples: change.sessions,
    sampled: 'sessions',
    ...(inconclusive ? { inconclusive } : {}),
    ...(isBelowFloor(change) ? { margin: belowFloorText(change) } : {}),
    ...(notes.length === 0 ? {} : { note: notes.join(' ') }),
    ...placeOf(head),
  }
}
