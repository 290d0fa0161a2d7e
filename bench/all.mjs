// Runs every benchmark that has a bar, or those named, the ones after a miss too: `npm run bench -- short-calls`. A benchmark is
// a file here that sets the exit code. The soak is none of them, as it takes its time: `npm run soak`.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
// As a process of a performance project is started.
import { WORKER_HEAP_ARGS } from './dist/src/vitest/worker-heap.js'

const LONGEST_MS = 300_000
const APART = ['soak.ts']

const here = new URL('.', import.meta.url)
const all = readdirSync(here)
  .filter((name) => name.endsWith('.ts') && !APART.includes(name))
  .filter((name) => readFileSync(new URL(name, here), 'utf8').includes('process.exitCode'))
  .map((name) => name.replace(/\.ts$/, ''))
if (all.length === 0) throw new Error('There is no benchmark.')
const named = process.argv.slice(2)
const unknown = named.find((name) => !all.includes(name))
if (unknown !== undefined) throw new Error(`There is no benchmark '${unknown}'; there are ${all.join(', ')}.`)
const benches = named.length === 0 ? all : named

for (const bench of benches) {
  console.log(`\n${bench}`)
  const compiled = new URL(`dist/bench/${bench}.js`, here)
  const { status, signal } = spawnSync(process.execPath, [...WORKER_HEAP_ARGS, fileURLToPath(compiled)], {
    stdio: 'inherit',
    timeout: LONGEST_MS,
  })
  if (status === 0) continue
  console.log(
    `MISS  ${bench} ${signal === null ? `ended with exit code ${status}` : `was stopped after ${LONGEST_MS / 1_000} s`}`,
  )
  process.exitCode = 1
}
