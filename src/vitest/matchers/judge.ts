import type { MatcherState, RunnerTestCase } from 'vitest'
import { describeFilter, type Run, type SloVerdict } from '../../metrics/index.ts'
import { type AskedVerdict, renderSloFailure, type Section } from '../../report/index.ts'
import { knownRun, knowRun } from '../run-registry.ts'
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
  /** Why this verdict could be another's than the server's: it then counts only where another figure decides. */
  readonly doubt?: string
  /** Set where nothing succeeded. It fails the SLO, but under `.not` a server that always fails would pass: why not. */
  readonly onlyFailures?: string
}

export interface Judgement {
  readonly matcher: string
  /** The arguments as in the user's code, for the hint. */
  readonly argument: string
  /** The function that Vitest calls: an error's stack starts at its caller. */
  readonly self: CallableFunction
  figures(receiver: Receiver): readonly Figure[]
  /** What explains a failure, in place of the worst sessions. */
  explain?(receiver: Receiver): readonly Section[]
  /** What explains a failure, before the worst sessions. */
  explainFirst?(receiver: Receiver, verdicts: readonly SloVerdict[]): readonly Section[]
}

/** Holds a run to limits, notes the verdicts for the reporter, and says what failed. */
export function judge(state: MatcherState, received: unknown, judgement: Judgement): MatcherResult {
  const { matcher, argument, self, figures, explain, explainFirst } = judgement
  // Vitest leaves it undefined without `.not`.
  const inverted = state.isNot === true
  const hint = (receiver: string) =>
    state.utils.matcherHint(matcher, receiver, argument, { isNot: inverted, promise: state.promise ?? '' })
  checkReceiver(received, hint('run'), self)
  const found = withoutOwnFrames(self, () => figures(received))
  const verdicts = found.map((figure) => verdictOn(figure, matcher, received))
  const ungradable = reasonAgainst(received, found, verdicts, inverted)
  const { run, source, scenario } = describeReceiver(received)
  noteVerdicts(run, state.task, ungradable === undefined ? asked(verdicts, inverted) : refused(verdicts, ungradable))
  const failure = { scenario, measured: received, verdicts, inverted, ...(ungradable === undefined ? {} : { ungradable }) }
  return {
    // What cannot be judged fails, with `.not` too: nothing is ever green by accident.
    pass: ungradable === undefined ? verdicts.every(({ pass }) => pass) : inverted,
    message: () => {
      const sections = explain === undefined ? {} : { sections: explain(received) }
      const leading = explainFirst === undefined ? {} : { leading: explainFirst(received, verdicts) }
      return `${hint(source)}\n\n${renderSloFailure({ ...failure, ...sections, ...leading })}`
    },
  }
}

/** An error on the way is about the arguments: its stack starts at the user's line. */
export function withoutOwnFrames<Value>(self: CallableFunction, compute: () => Value): Value {
  try {
    return compute()
  } catch (error) {
    if (error instanceof Error) Error.captureStackTrace(error, self)
    throw error
  }
}

function reasonAgainst(
  { gradable }: Receiver,
  figures: readonly Figure[],
  verdicts: readonly SloVerdict[],
  inverted: boolean,
): string | undefined {
  if (!gradable.ok) return gradable.reason
  for (const { unmeasured, onlyFailures } of figures) {
    if (unmeasured !== undefined) return unmeasured
    if (inverted && onlyFailures !== undefined) return onlyFailures
  }
  const isDecided = figures.some(({ doubt }, index) => doubt === undefined && verdicts[index]?.pass === false)
  return isDecided ? undefined : figures.find(({ doubt }) => doubt !== undefined)?.doubt
}

export function verdictOn(
  { observed, unmeasured: _unmeasured, doubt: _doubt, onlyFailures: _onlyFailures, ...figure }: Figure,
  matcher: string,
  receiver: Receiver,
): SloVerdict {
  return {
    ...figure,
    matcher,
    observed: observed === undefined || observed === Number.POSITIVE_INFINITY ? null : observed,
    pass: observed !== undefined && (figure.direction === 'ceiling' ? observed <= figure.limit : observed >= figure.limit),
    ...placeOf(receiver),
  }
}

/** `.not` is about all limits together: those that hold beside one that does not are no verdicts of their own. */
function asked(verdicts: readonly SloVerdict[], inverted: boolean): AskedVerdict[] {
  const broken = verdicts.filter(({ pass }) => !pass)
  return (inverted && broken.length > 0 ? broken : verdicts).map((verdict) => ({ verdict, inverted }))
}

function refused(verdicts: readonly SloVerdict[], reason: string): AskedVerdict[] {
  return verdicts.map((verdict) => ({ verdict: { ...verdict, pass: false, note: `not gradable: ${reason}` } }))
}

/**
 * Hands the verdicts to the reporter, by way of the test. A run that no fixture handed out (a bare `replay()`) becomes known
 * with its first verdict. Under `describe.concurrent` the global `expect` knows no test: the verdicts then go to one that was
 * given the run and has not ended, since what is added to a test that has ended is lost.
 */
export function noteVerdicts(run: Run, task: RunnerTestCase | undefined, verdicts: readonly AskedVerdict[]): void {
  const known = task === undefined ? knownRun(run) : knowRun(run, task)
  const place = task ?? [...(known?.tasks ?? [])].findLast(({ result }) => result?.state === 'run')
  if (known !== undefined && place !== undefined) recordOnTask(place, known, verdicts)
}

export function placeOf(receiver: Receiver): Pick<SloVerdict, 'stage' | 'where'> {
  if ('index' in receiver) return { stage: receiver.index }
  if (!('filter' in receiver)) return {}
  const { stage, filter } = receiver
  return { where: describeFilter(filter), ...(stage === undefined ? {} : { stage }) }
}

export function describeReceiver(receiver: Receiver): { run: Run; source: string; scenario: string } {
  const run = 'run' in receiver ? receiver.run : receiver
  const { stage, where } = placeOf(receiver)
  return {
    run,
    source: `run${stage === undefined ? '' : `.stages[${stage}]`}${where === undefined ? '' : `.where(${where})`}`,
    scenario: `${run.name}${stage === undefined ? '' : `, stage ${stage + 1}`}${where === undefined ? '' : `, where ${where}`}`,
  }
}
