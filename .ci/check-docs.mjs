// Holds README.md, docs/*.md and the other READMEs against the package: TypeScript blocks compile against the installed
// tarball, JSON blocks parse, `npm run` names scripts that exist, relative links lead somewhere.
// Usage: node .ci/check-docs.mjs FOLDER   (a consumer project in which the package is installed)
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const [folder] = process.argv.slice(2)
assert(folder, 'the folder of the consumer project is missing')
const consumer = resolve(folder)
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
const pages = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], { encoding: 'utf8' })
  .trim()
  .split('\n')
assert(pages.includes('README.md'), 'there is no README.md')

const faults = []
const blocks = pages.flatMap(readBlocks)
for (const { page, line, language, code } of blocks) {
  if (language === 'json') check(`${page}:${line}`, () => JSON.parse(code))
  if (!['sh', 'bash', 'shell'].includes(language)) continue
  for (const [, script] of code.matchAll(/\bnpm run ([\w:-]+)/g)) {
    if (scripts[script] === undefined) faults.push(`${page}:${line}: there is no script "${script}"`)
  }
}
for (const page of pages) {
  for (const [, target = ''] of readFileSync(page, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)) {
    const [path = ''] = target.split('#')
    if (path === '' || /^[a-z]+:/.test(path)) continue
    if (!existsSync(join(dirname(page), path))) faults.push(`${page}: the link ${target} leads nowhere`)
  }
}
faults.push(...typeFaults(blocks.filter(({ language }) => language === 'ts')))
for (const fault of faults) console.error(fault)
console.log(`${pages.length} pages, ${blocks.length} code blocks, ${faults.length} faults`)
process.exitCode = faults.length === 0 ? 0 : 1

function readBlocks(page) {
  const found = []
  let open
  for (const [index, text] of readFileSync(page, 'utf8').split('\n').entries()) {
    const fence = /^(\s*)(`{3,})\s*(\w*)/.exec(text)
    if (open === undefined && fence !== null) {
      open = { page, line: index + 2, language: fence[3].replace('typescript', 'ts'), fence: fence[2], lines: [] }
    } else if (open !== undefined && fence?.[2] === open.fence) {
      found.push({ page: open.page, line: open.line, language: open.language, code: open.lines.join('\n') })
      open = undefined
    } else {
      open?.lines.push(text)
    }
  }
  if (open !== undefined) faults.push(`${page}:${open.line}: the code block never ends`)
  return found
}

function check(where, action) {
  try {
    action()
  } catch (error) {
    faults.push(`${where}: ${error.message}`)
  }
}

/** Every block is a module of its own, its lines numbered as on the page; what it does not import is looked up in `ambient`. */
function typeFaults(typescript) {
  const project = join(consumer, 'docs')
  rmSync(project, { recursive: true, force: true })
  mkdirSync(project)
  const ambient = `
    import type * as package_ from 'vitest-trace-replay'
    import type * as vitest from 'vitest'
    import type * as config from 'vitest/config'
    import type * as plugin from 'vitest-trace-replay/plugin'
    declare global {
      const run: package_.Run
      const base: package_.Run
      const head: package_.Run
      const capacity: package_.Capacity
      const expect: typeof vitest.expect
      const describe: typeof vitest.describe
      const replayTest: typeof package_.replayTest
      const test: typeof package_.test
      const traces: typeof package_.traces
      const replay: typeof package_.replay
      const compare: typeof package_.compare
      const findCapacity: typeof package_.findCapacity
      const startSimulator: typeof package_.startSimulator
      const defineConfig: typeof config.defineConfig
      const replayProject: typeof plugin.replayProject
      const traceReplay: typeof plugin.traceReplay
    }`
  writeFileSync(join(project, 'ambient.ts'), ambient)
  const compilerOptions = {
    module: 'NodeNext',
    target: 'ES2023',
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  const names = new Map()
  for (const { page, line, code } of typescript) {
    const name = `${page.replace(/\W+/g, '-')}-${line}.ts`
    names.set(name, page)
    writeFileSync(join(project, name), `${'\n'.repeat(line - 1)}${code}\nexport {}\n`)
  }
  const { status, stdout, error } = spawnSync('npx', ['--no-install', 'tsc', '-p', project, '--pretty', 'false'], {
    cwd: consumer,
    encoding: 'utf8',
  })
  if (error) throw error
  if (status === 0) return []
  return stdout
    .trim()
    .split('\n')
    .map((text) => text.replace(/^(?:.*\/)?([\w-]+\.ts)\((\d+),\d+\)/, (_, name, row) => `${names.get(name) ?? name}:${row}`))
}
