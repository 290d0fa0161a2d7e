import { expect, test } from 'vitest'
import './matchers.ts'
import { madeRun } from './run.fixture.ts'

const run = madeRun({ succeeded: [1_000, 2_000, 3_000, 4_000] })

function messageOf(assertion: () => void): string {
  try {
    assertion()
  } catch (error) {
    return (error as Error).message.replaceAll(/\u001b\[\d+m/g, '')
  }
  throw new Error('the assertion holds')
}
test('x', () => {
  expect(run).toHaveWorkflowLatency({ max: '4s' })
  console.log(messageOf(() => expect(run).toHaveWorkflowLatency({ p50: '3s', p95: '2s' })))
  console.log(messageOf(() => expect(run).not.toHaveWorkflowLatency({ p95: '5s' })))
  console.log(messageOf(() => expect(run.stages[0]).toHaveInterTokenLatency({ p95: '5s' })))
  console.log(messageOf(() => expect(madeRun({})).toHaveInterTokenLatency({ p95: '5s' })))
  console.log(messageOf(() => expect(madeRun({ failed: 3 })).not.toHaveWorkflowLatency({ p95: '5s' })))
  console.log(messageOf(() => expect(madeRun({ failed: 3, succeeded: [400] })).toHaveSessionSuccessRate(0.99)))
})
