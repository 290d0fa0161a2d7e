import { renderRunTable, type ScenarioReport } from '../report/index.ts'

const WIDTH = 120

/** Markdown for the summary of a GitHub job. */
export function renderStepSummary(scenarios: readonly ScenarioReport[]): string {
  const table = renderRunTable(scenarios, { width: WIDTH })
  // Longer than any run of backticks in it, so that no name can end the block.
  const longest = Math.max(2, ...[...table.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `## Trace replay\n\n${fence}text\n${table}\n${fence}\n\n`
}
