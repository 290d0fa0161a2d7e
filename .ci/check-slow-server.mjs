// The quickstart's scenarios against a slow server must fail, and the failures must say what a person needs to act on.
import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { runVitest } from './run-vitest.mjs'

const { status, output } = runVitest(resolve('examples/slow-server'))
assert.equal(status, 1, 'a missed SLO must fail the run')
for (const [what, pattern] of [
  ['the SLO', /8s/],
  ['the p95 seen', /p95/],
  ['the worst sessions', /worst/i],
  ['where the time went', /prefill/],
]) {
  assert.match(output, pattern, `the failures do not name ${what}`)
}
