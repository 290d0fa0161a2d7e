// `npm run demo`, from nothing: installs and builds what is missing, then replays recorded agent sessions against the
// embedded simulator and judges the run.
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

if (changedAt('node_modules/.package-lock.json') < changedAt('package-lock.json')) run('npm', ['ci', '--no-audit', '--no-fund'])
run('npm', ['run', '--silent', 'build'])
run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--root', 'examples/quickstart', ...process.argv.slice(2)])

/** Milliseconds since 1970, 0 for a file that is not there. */
function changedAt(path) {
  return statSync(new URL(`../${path}`, import.meta.url), { throwIfNoEntry: false })?.mtimeMs ?? 0
}

function run(command, args) {
  // npm is a script of another name on Windows, which only a shell finds.
  const shell = command === 'npm' && process.platform === 'win32'
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', shell })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}
