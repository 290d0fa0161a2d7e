// The search must find the simulator's knee: it serves eight requests at once, so that twice the time is taken at sixteen.
import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { runVitest } from './run-vitest.mjs'

assert.equal(runVitest(resolve('examples/capacity')).status, 0)
