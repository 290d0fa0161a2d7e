// Runs every benchmark that has a bar, the ones after a miss too. A benchmark is a file here that sets the exit code.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const LONGEST_MS = 300_000

const here = new URL('.', import.meta.url)
const benches = readdirSync(here)
  .filter((name) => name.endsWith('.ts') && readFileSync(new URL(name, here), 'utf8').includes('process.exitCode'))
  .map((name) => name.replace(/\.ts$/, ''))
if (benches.length === 0) throw new Error('There is no benchmark.')

for (const bench of benches) {
  console.log(`\n${bench}`)
  const compiled = new URL(`dist/bench/${bench}.js`, here)
  const { status, signal } = spawnSync(process.execPath, [fileURLToPath(compiled)], { stdio: 'inherit', timeout: LONGEST_MS })
  if (status === 0) continue
  console.log(
    `MISS  ${bench} ${signal === null ? `ended with exit code ${status}` : `was stopped after ${LONGEST_MS / 1_000} s`}`,
  )
  process.exitCode = 1
}
