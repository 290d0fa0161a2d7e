/** A run → text for people. Pure rendering: values in, strings out. */
export { type CapacityFailure, renderCapacityCurve, renderCapacityFailure } from './capacity-text.ts'
export { belowFloorText, changeNotes, comparisonLabel, comparisonSections } from './comparison-text.ts'
export { renderSloFailure, type Section, type SloFailure } from './failure-message.ts'
export { formatCount, formatFigure, formatPerSecond, formatShare } from './figures.ts'
export { type FetchView, type ProgressView, renderBar, renderFetchLine, renderProgressLine } from './progress-line.ts'
export {
  type DistributionSummary,
  type MeasuredSummary,
  type QuantileSummary,
  type RunSummary,
  type StageSummary,
  summarizeRun,
} from './run-summary.ts'
export { renderRunTable, type ScenarioReport } from './run-table.ts'
export { type AskedVerdict, marginText, observedText, sloText } from './slo-text.ts'
export { colourful, plain, type RenderOptions, type Styler } from './styler.ts'
export { printable, wrap } from './terminal-text.ts'
