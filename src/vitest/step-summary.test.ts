import { expect, test } from 'vitest'
import { runRecord } from '../metrics/run-record.fixture.ts'
import { summarizeRun } from '../report/index.ts'
import { madeRun } from './run.fixture.ts'
import { renderStepSummary } from './step-summary.ts'

test('no name in the table can end its block', () => {
  const { record } = madeRun({ succeeded: [1_000] })
  const run = madeRun({ succeeded: [1_000], differs: { ...runRecord(record), name: 'a ```` b' } })
  const markdown = renderStepSummary([{ summary: summarizeRun(run), verdicts: [] }])
  expect(markdown).toMatch(/^## Trace replay\n\n`````text\na ```` b/)
  expect(markdown).toMatch(/\n`````\n\n$/)
})
