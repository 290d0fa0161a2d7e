import type { MatcherState, RunnerTestCase } from 'vitest'
import type { SloVerdict } from '../../metrics/index.ts'
import { renderSloFailure } from '../../report/index.ts'
import { type KnownRun, knownRun, knowRun } from '../run-registry.ts'
import { recordOnTask } from '../task-record.ts'
import { checkReceiver, type Receiver } from './receiver.ts'

/** Synchronous on purpose: an asynchronous matcher that is not awaited passes silently. */
export interface MatcherResult {
  readonly pass: boolean
  readonly message: () => string
}

export type ReplayMatcher<Arguments extends readonly unknown[]> = (
  this: MatcherState,
  received: unknown,
  ...args: Arguments
) => MatcherResult

/** One figure of a run and the limit it is held to. */
export interface Figure extends Omit<SloVerdict, 'matcher' | 'observed' | 'pass' | 'stage'> {
  /** `undefined` when nothing was measured. */
  readonly observed: number | undefined
  /** Why there can be no verdict, where there cannot. */
  readonly unmeasured?: string
}

export interface Judgement {
  readonly matcher: string
  /** The arguments as in the user's code, for the hint. */
  readonly argument: string
  /** The function that Vitest calls: an error's stack starts at its caller. */
  readonly self: CallableFunction
  figures(receiver: Receiver): readonly Figure[]
}

/** Holds a run to limits, notes the verdicts for the reporter, and says what failed. */
export function judge(state: MatcherState, received: unknown, { matcher, argument, self, figures }: Judgement): MatcherResult {
  // Vitest leaves it undefined without `.not`.
  const inverted = state.isNot === true
  const hint = state.utils.matcherHint(matcher, 'run', argument, { isNot: inverted, promise: state.promise ?? '' })
  checkReceiver(received, hint, self)
  const found = figures(received)
  const ungradable = received.gradable.ok
    ? found.find(({ unmeasured }) => unmeasured !== undefined)?.unmeasured
    : received.gradable.reason
  const verdicts = found.map((figure) => verdictOn(figure, matcher, received, ungradable))
  const holds = verdicts.every(({ pass }) => pass)
  // What cannot be judged fails, with `.not` too: nothing is ever green by accident.
  const pass = ungradable === undefined ? holds : inverted
  const run = runOf(received, state.task)
  if (run !== undefined) note(run, state.task, verdicts, inverted && ungradable === undefined)
  const scenario = scenarioText(received, run)
  return {
    pass,
    message: () =>
      `${hint}\n\n${renderSloFailure({ scenario, measured: received, verdicts, inverted, ...(ungradable === undefined ? {} : { ungradable }) })}`,
  }
}

function verdictOn(
  { observed, unmeasured, ...figure }: Figure,
  matcher: string,
  receiver: Receiver,
  ungradable: string | undefined,
): SloVerdict {
  const holds = observed !== undefined && (figure.direction === 'ceiling' ? observed <= figure.limit : observed >= figure.limit)
  return {
    ...figure,
    matcher,
    observed: observed === undefined || observed === Number.POSITIVE_INFINITY ? null : observed,
    pass: holds && ungradable === undefined,
    ...('index' in receiver ? { stage: receiver.index } : {}),
    ...(ungradable === undefined ? {} : { note: `not gradable: ${ungradable}` }),
  }
}

/** A run that no fixture handed out (a bare `replay()`) becomes known with its first verdict. */
function runOf(receiver: Receiver, task: RunnerTestCase | undefined): KnownRun | undefined {
  if (task !== undefined && 'stages' in receiver) return knowRun(receiver, task)
  return knownRun(receiver)
}

/**
 * Under `describe.concurrent` the global `expect` knows no test: the verdict then goes to one that was given the run and has
 * not ended, since what is added to a test that has ended is lost.
 */
function note(run: KnownRun, task: RunnerTestCase | undefined, verdicts: readonly SloVerdict[], inverted: boolean): void {
  const place = task ?? [...run.tasks].findLast(({ result }) => result?.state === 'run')
  if (place === undefined) return
  // `.not` is about all limits together: those that hold beside one that does not are no verdicts of their own.
  const told = inverted && verdicts.some(({ pass }) => !pass) ? verdicts.filter(({ pass }) => !pass) : verdicts
  recordOnTask(
    place,
    run,
    told.map((verdict) => ({ verdict, inverted })),
  )
}

function scenarioText(receiver: Receiver, run: KnownRun | undefined): string {
  if (!('index' in receiver)) return receiver.name
  const stage = `stage ${receiver.index + 1}`
  return run === undefined ? stage : `${run.run.name}, ${stage}`
}
