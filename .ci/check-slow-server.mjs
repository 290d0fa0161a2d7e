// The quickstart's scenarios against a slow server must fail, and the failures must say what a person needs to act on.
import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { runVitest } from './run-vitest.mjs'

const { status, output } = runVitest(resolve('examples/slow-server'))
assert.equal(status, 1, 'a missed SLO must fail the run')
for (const [what, pattern] of [
  ['the SLO', /Expected: workflow latency p95 ≤ 8s/],
  ['the p95 that was seen', /Received: workflow latency p95 [\d.]+s, \d+% over/],
  ['over how many sessions', /Measured over 20 sessions \(20 succeeded\) and 160 requests/],
  ['the slowest session', /Slowest sessions\n.*\n +support-agent-kt-20814/],
  ['where its time went', /latency +queue \+ prefill +decode +wait +client/],
  ['the call that took longest', /longest: .* of 'chat gpt-4\.1/],
]) {
  if (!pattern.test(output)) throw new Error(`The failures do not name ${what}: nothing matches ${pattern}.`)
}
