// Runs Vitest over a project as a person in a pipeline would, and gives back how it ended and what it printed.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * @param {string} root the project; Vitest is the one that it resolves
 * @param {Record<string, string>} variables set in its environment
 */
export function runVitest(root, variables = {}) {
  const vitest = join(dirname(createRequire(join(root, 'vitest.config.ts')).resolve('vitest/package.json')), 'vitest.mjs')
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [vitest, 'run'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...variables, CI: 'true', NO_COLOR: '1', FORCE_COLOR: undefined },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 240_000,
  })
  if (error) throw error
  const output = stdout + stderr
  console.log(output)
  return { status, output }
}
