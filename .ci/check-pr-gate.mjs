// The gate must let an equal server pass, stop a slower one, and say by how much it is slower, against which base.
import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { runVitest } from './run-vitest.mjs'

const project = resolve('examples/pr-gate')
assert.equal(runVitest(project).status, 0, 'an equal server must pass')

const { status, output } = runVitest(project, { HEAD_DECODE_STEP_MS: '7' })
assert.equal(status, 1, 'a slower server must fail the run')
for (const [what, pattern] of [
  ['the tolerance', /Expected: +workflow latency typical ≤ \+10%/],
  ['the change', /✗ workflow latency typical \+\d+(\.\d+)?%, \d+(\.\d+)? points over/],
  ['both sides and the interval', /workflow latency typical +\S+ +\S+ +\+\S+ … \+\S+/],
  ['the sessions that slowed most', /Sessions slowed most\n +support-agent-kt-20814\S* .* → .* \+\d+%/],
]) {
  if (!pattern.test(output)) throw new Error(`The failure does not name ${what}: nothing matches ${pattern}.`)
}
