import type { ScenarioReport } from '../report/index.ts'
import type { TaskRecord } from './task-record.ts'

/** What the tests recorded → one report for each run, in the order the runs ended. Tests that share a run add up. */
export function gatherScenarios(records: readonly TaskRecord[]): ScenarioReport[] {
  const scenarios = new Map<string, ScenarioReport>()
  for (const { id, summary } of records.flatMap(({ runs }) => runs)) {
    if (!scenarios.has(id)) scenarios.set(id, { summary, verdicts: [] })
  }
  for (const { run, verdict, inverted } of records.flatMap(({ verdicts }) => verdicts)) {
    const scenario = scenarios.get(run)
    if (scenario !== undefined) {
      scenarios.set(run, { ...scenario, verdicts: [...scenario.verdicts, { verdict, inverted: inverted === true }] })
    }
  }
  return [...scenarios.values()]
}
