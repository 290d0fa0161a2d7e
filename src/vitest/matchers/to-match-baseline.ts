import { type MatcherState, Snapshots } from 'vitest'
import { TraceReplayError } from '../../base/index.ts'
import type { SloVerdict } from '../../metrics/index.ts'
import { renderSloFailure } from '../../report/index.ts'
import { type Baseline, captureBaseline, parseBaseline, renderBaseline } from '../baseline/baseline.ts'
import { type BaselineComparison, compareBaseline } from '../baseline/compare-baseline.ts'
import { describeReceiver, type MatcherResult, noteVerdicts, type ReplayMatcher, verdictOn, withoutOwnFrames } from './judge.ts'
import { checkReceiver, type Receiver } from './receiver.ts'

export interface BaselineMatcher<Result> {
  /**
   * Holds a run to the figures of an earlier one, kept in the test's snapshot file with a tolerance each, which can be
   * edited by hand and survives `-u`. Without a baseline one is written, except in CI, where that fails. A baseline of another
   * workload, other stages or another target is refused; another machine is said.
   *
   * @example
   * expect(run).toMatchBaseline()
   */
  toMatchBaseline(): Result
}

const matcher = 'toMatchBaseline'

export const toMatchBaseline: ReplayMatcher<[]> = function baseline(received, ...given: readonly unknown[]): MatcherResult {
  const hint = (receiver: string) =>
    this.utils.matcherHint(matcher, receiver, '', { isNot: this.isNot === true, promise: this.promise ?? '' })
  checkReceiver(received, hint('run'), baseline)
  refuseMisuse(this, given, baseline)
  const { run, source, scenario } = describeReceiver(received)
  if (!received.gradable.ok) keepStored(this)
  const outcome = received.gradable.ok
    ? compare(this, received, baseline)
    : { pass: false, reason: received.gradable.reason, comparison: undefined }
  const { comparison, pass, reason } = outcome
  // Where all of it was just replaced, nothing is held to what it was.
  const figures = pass && comparison?.holds === false ? [] : (comparison?.figures ?? [])
  const verdicts = figures.map((figure) => verdictOn(figure, matcher, received))
  const noted = withNotes(verdicts, comparison?.notes ?? [])
  const refused = (verdict: SloVerdict): SloVerdict => ({ ...verdict, pass: false, note: `not gradable: ${reason}` })
  noteVerdicts(
    run,
    this.task,
    (reason === undefined ? noted : verdicts.map(refused)).map((verdict) => ({ verdict })),
  )
  const failure =
    reason === undefined
      ? {
          verdicts: withNotes(
            verdicts.filter((verdict) => !verdict.pass),
            comparison?.notes ?? [],
          ),
        }
      : { verdicts: [], ungradable: reason, sections: [] }
  return {
    pass,
    message: () => `${hint(source)}\n\n${renderSloFailure({ scenario, measured: received, ...failure })}`,
  }
}

/**
 * An entry that no test asked for is obsolete to Vitest: an update would delete it, and in CI it would be a further error.
 * Not part of Vitest's public types: looked for, not relied on.
 */
function keepStored(state: MatcherState): void {
  const { snapshotState, currentTestName } = state as Partial<MatcherState> & {
    readonly snapshotState?: { markSnapshotsAsCheckedForTest?(testName: string): void }
  }
  if (currentTestName !== undefined) snapshotState?.markSnapshotsAsCheckedForTest?.(currentTestName)
}

/** They are about all of the figures; the first carries them. */
function withNotes(verdicts: readonly SloVerdict[], notes: readonly string[]): SloVerdict[] {
  return verdicts.map((verdict, index) => (index === 0 && notes.length > 0 ? { ...verdict, note: notes.join(' ') } : verdict))
}

interface Outcome {
  readonly pass: boolean
  /** Why there is no verdict, where there is none. */
  readonly reason?: string
  readonly comparison: BaselineComparison | undefined
}

/** Vitest keeps the file, decides whether to write it, and asks us whether what it holds still fits. */
function compare(state: MatcherState, receiver: Receiver, self: CallableFunction): Outcome {
  let comparison: BaselineComparison | undefined
  const current = captureBaseline(receiver)
  const result = Snapshots.toMatchDomainSnapshot.call(
    state,
    {
      name: 'vitest-trace-replay',
      capture: () => current,
      render: renderBaseline,
      parseExpected: (text) => withoutOwnFrames(self, () => parseBaseline(text)),
      match(_: Baseline, stored: Baseline) {
        comparison = compareBaseline(receiver, current, stored)
        const { holds, updated } = comparison
        return { pass: holds, resolved: renderBaseline(updated) }
      },
    },
    receiver,
  )
  // Only `expect.poll` makes it asynchronous.
  if (!('pass' in result)) throw new TraceReplayError('INVALID_OPTION', `${matcher} cannot be polled: a run does not change.`)
  const { pass } = result
  if (comparison === undefined) return pass ? written(current) : { pass, reason: MISSING, comparison }
  const reason = pass
    ? undefined
    : (comparison.incomparable ?? comparison.figures.find(({ unmeasured }) => unmeasured !== undefined)?.unmeasured)
  return { pass, comparison, ...(reason === undefined ? {} : { reason }) }
}

const MISSING =
  'there is no baseline for this test, and none is written in CI. Run the test elsewhere and commit its snapshot file'

/** A baseline that failures set would hold nothing: what is kept of it fails until it is updated. */
function written({ figures }: Baseline): Outcome {
  const isSound = [...figures.values()].every(({ value }) => Number.isFinite(value))
  return isSound
    ? { pass: true, comparison: undefined }
    : {
        pass: false,
        comparison: undefined,
        reason: 'a baseline is not to be taken from a run whose failures set its latencies. Mend that, then run with -u',
      }
}

function refuseMisuse(state: MatcherState, given: readonly unknown[], self: CallableFunction): void {
  const reason =
    state.isNot === true
      ? 'cannot be negated: a run is held to its baseline, not to its absence'
      : 'assertion' in state && state.assertion !== undefined
        ? given.length === 0
          ? undefined
          : 'takes no arguments: figures and tolerances stand in the snapshot file, to be edited there'
        : 'cannot be used as an asymmetric matcher: write `expect(run).toMatchBaseline()`'
  if (reason === undefined) return
  const error = new TraceReplayError('INVALID_OPTION', `${matcher} ${reason}.`)
  Error.captureStackTrace(error, self)
  throw error
}
