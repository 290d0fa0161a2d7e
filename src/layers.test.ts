import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { layerViolations } from './layer-rules.fixture.ts'
import { readModuleFacts } from './module-facts.fixture.ts'

const root = new URL('.', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('../package.json', root), 'utf8'))
const runtimeDependencies = new Set(Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }))

function violations(path: string, source: string): string[] {
  const lines = source.split('\n').length - 1
  return layerViolations({ path, lines, facts: readModuleFacts(path, source) }, runtimeDependencies)
}

// Parses all of the source, which a busy machine may take its time for.
test('the source keeps to its layers', { timeout: 60_000 }, () => {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
  expect(paths.length).toBeGreaterThan(30)
  const found = paths
    .toSorted()
    .flatMap((path) => violations(path.replaceAll('\\', '/'), readFileSync(new URL(path, root), 'utf8')))
  expect(found).toEqual([])
})

test.each([
  ['an arrow that points upwards', 'trace/a.ts', "import { x } from '../graph/index.ts'", 'trace/ may import only base, message'],
  ['a type is an arrow too', 'metrics/a.ts', "import type { X } from '../replay/index.ts'", 'metrics/ may import only'],
  ['an import type', 'graph/a.ts', "export type A = import('../trace/index.ts').A", 'graph/ may import only'],
  ['a re-export', 'message/a.ts', "export * from '../trace/index.ts'", 'message/ may import only base'],
  ['a re-exported type', 'endpoint/a.ts', "export type { A } from '../metrics/index.ts'", 'endpoint/ may import only'],
  ['a dynamic import', 'stats/a.ts', "const a = await import('../report/index.ts')", 'stats/ may import only'],
  ['a dynamic import of a template', 'stats/a.ts', 'const a = import(`../report/index.ts`)', 'stats/ may import only'],
  ['a computed import', 'cli/a.ts', 'const a = import(name)', 'must be readable from the source'],
  ['an import for its effects', 'base/a.ts', "import '../message/index.ts'", 'base/ may import nothing'],
  ['a test', 'trace/a.test.ts', "import { x } from '../graph/index.ts'", 'trace/ may import only'],
  ['a fixture', 'trace/a.fixture.ts', "import { x } from '../graph/index.ts'", 'trace/ may import only'],
  ['from a deeper folder', 'trace/dialects/a.ts', "import { x } from '../../graph/index.ts'", 'trace/ may import only'],
  ['several lines', 'trace/a.ts', "import {\n  x, // y\n} from\n  '../graph/index.ts'", 'trace/ may import only'],
  ['the simulator stands alone', 'simulator/a.ts', "import { x } from '../message/index.ts'", 'simulator/ may import only base'],
  ['a look behind a face', 'graph/a.ts', "import { x } from '../message/call.ts'", 'reaches behind message/index.ts'],
  ['a look behind a face from the top', 'index.ts', "export { x } from './replay/replay.ts'", 'reaches behind replay/index.ts'],
  ['the package from inside', 'cli/a.ts', "import { x } from '../index.ts'", 'the package’s own face'],
  ['a file outside', 'cli/a.ts', "import x from '../../package.json'", 'outside src/'],
  ['a fixture in the product', 'replay/a.ts', "import { x } from '../base/a.fixture.ts'", 'not part of the package'],
  ['Vitest in the engine', 'replay/a.ts', "import { expect } from 'vitest'", 'only vitest/ knows Vitest'],
  ['Vitest at the top', 'index.ts', "import { expect } from 'vitest'", 'only vitest/ knows Vitest'],
  ['an inner package of Vitest', 'vitest/a.ts', "import { x } from '@vitest/runner'", 'not importable in Vitest 5'],
  ['an inner package, as a type', 'vitest/a.ts', "import type { x } from '@vitest/expect'", 'not importable in Vitest 5'],
  ['an augmented inner package', 'vitest/a.ts', "declare module '@vitest/expect' {}", 'not importable in Vitest 5'],
  ['an entry point gone in 5', 'vitest/a.ts', "import { x } from 'vitest/reporters'", 'Vitest 4 and 5 do not share'],
  ['a package for development', 'vitest/a.ts', "import type { Plugin } from 'vite'", 'not among the dependencies'],
  ['a scoped package', 'cli/a.ts', "import { x } from '@scope/name/deep'", 'not among the dependencies'],
  ['files in a pure layer', 'trace/a.ts', "import { readFileSync } from 'node:fs'", 'trace/ is pure'],
  ['timers in a pure layer', 'metrics/a.ts', "import { setTimeout as sleep } from 'node:timers/promises'", 'metrics/ is pure'],
  ['the wall clock', 'metrics/a.ts', 'export const now = () => Date.now()', 'uses Date.now'],
  ['the wall clock, handed on', 'metrics/a.ts', 'const f = Date.now', 'uses Date.now'],
  ['the wall clock, taken apart', 'metrics/a.ts', 'const { now } = Date', 'uses Date.now'],
  ['today', 'report/a.ts', 'const today = new Date()', 'uses new Date()'],
  ['the monotonic clock', 'graph/a.ts', 'const t = performance.now()', 'uses performance'],
  ['chance', 'stats/a.ts', 'const x = Math["random"]()', 'uses Math.random'],
  ['a timer', 'message/a.ts', 'setTimeout(() => {}, 1)', 'uses setTimeout'],
  ['a timer of globalThis', 'message/a.ts', 'globalThis.setTimeout(f, 1)', 'uses setTimeout'],
  ['the environment', 'report/a.ts', 'const tty = (process as { stdout: X }).stdout', 'uses process'],
  ['a catch-all file', 'graph/utils.ts', '', 'a catch-all name'],
  ['a catch-all folder', 'graph/helpers/reduce.ts', '', 'a catch-all name'],
  ['a folder nobody knows', 'plugins/a.ts', '', 'not a known layer'],
  ['a file of 351 lines', 'graph/a.ts', '\n'.repeat(351), '351 lines'],
])('finds %s', (_, path, source, reason) => {
  expect(violations(path, source)).toEqual([expect.stringContaining(reason)])
})

test.each([
  ['base and message', 'graph/a.ts', "import { x } from '../base/index.ts'\nimport type { Call } from '../message/index.ts'"],
  ['a neighbour', 'trace/containers/a.ts', "import { x } from '../span.ts'"],
  ['a lower layer', 'replay/a.ts', "import { x } from '../endpoint/index.ts'"],
  ['the default target', 'replay/a.ts', "import { x } from '../simulator/index.ts'"],
  ['the faces, at the top', 'index.ts', "export { x } from './replay/index.ts'"],
  ['a fixture, in a test', 'replay/a.test.ts', "import { x } from '../base/a.fixture.ts'"],
  ['anything of npm, in a test', 'graph/a.test.ts', "import { expect } from 'vitest'\nimport Ajv from 'ajv'"],
  ['Vitest where it belongs', 'vitest/a.ts', "import { inject } from 'vitest'\nimport type { Vitest } from 'vitest/node'"],
  [
    'a dependency and its parts',
    'graph/a.ts',
    "import { DirectedGraph } from 'graphology'\nimport { x } from 'graphology-dag/y'",
  ],
  ['hashing in a pure layer', 'message/a.ts', "import { createHash } from 'node:crypto'"],
  ['a date of a given instant', 'report/a.ts', 'const day = new Date(startedAt)'],
  ['names that only look ambient', 'metrics/a.ts', 'const x = { setTimeout: 1, now: y.performance }; type T = typeof setTimeout'],
  ['a parameter of that name', 'report/a.ts', 'export const f = (process: Process) => process.id'],
  [
    'imports in text and comments',
    'trace/a.ts',
    "// import x from '../graph/index.ts'\nconst s = `import x from '../graph/index.ts'`",
  ],
  ['clocks outside the pure layers', 'base/clock.ts', 'const now = performance.now.bind(performance)'],
  ['a file of 350 lines', 'graph/a.ts', '\n'.repeat(350)],
])('allows %s', (_, path, source) => {
  expect(violations(path, source)).toEqual([])
})
