import { basename, dirname, join, normalize } from 'node:path/posix'
import type { ModuleFacts } from './module-facts.fixture.ts'

/** Who may import whom, lowest first. `base` is open to all. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  base: [],
  message: [],
  trace: ['message'],
  graph: ['message'],
  workload: ['message', 'trace', 'graph'],
  capture: ['message', 'trace'],
  endpoint: ['message'],
  metrics: ['message'],
  journal: ['metrics'],
  simulator: [],
  stats: ['message', 'metrics'],
  replay: ['message', 'graph', 'workload', 'endpoint', 'metrics', 'journal', 'stats', 'simulator'],
  report: ['message', 'metrics', 'stats'],
  vitest: ['message', 'trace', 'graph', 'workload', 'endpoint', 'metrics', 'simulator', 'replay', 'stats', 'report'],
  cli: [
    'message',
    'trace',
    'graph',
    'workload',
    'endpoint',
    'metrics',
    'simulator',
    'replay',
    'stats',
    'report',
    'vitest',
    'capture',
    'journal',
  ],
}

/** Bytes or values in, values out. */
const PURE = new Set(['message', 'trace', 'graph', 'metrics', 'stats', 'report'])
const PURE_BUILTINS = new Set(['node:crypto', 'node:buffer', 'node:util', 'node:zlib'])
/** What both Vitest 4 and 5 have. */
const VITEST_ENTRY_POINTS = new Set(['vitest', 'vitest/node', 'vitest/config', 'vitest/runtime', 'vitest/worker'])
const LONGEST_FILE = 350
const CATCH_ALL_NAMES = /^(utils?|helpers?|types|constants|common|misc|shared)(\.ts)?$/

/** @param path relative to `src/`, with forward slashes */
export interface SourceFile {
  readonly path: string
  readonly lines: number
  readonly facts: ModuleFacts
}

/** Each violation as a sentence that names the file, the import and the rule. */
export function layerViolations(file: SourceFile, runtimeDependencies: ReadonlySet<string>): string[] {
  const layer = layerOf(file.path)
  const violations: string[] = []
  const violation = (text: string) => violations.push(`src/${file.path}: ${text}`)

  if (layer !== null && MAY_IMPORT[layer] === undefined) violation(`${layer}/ is not a known layer`)
  if (file.path.split('/').some((name) => CATCH_ALL_NAMES.test(name))) violation('a catch-all name; name the one thing it is')
  if (!isTest(file.path)) {
    if (file.lines > LONGEST_FILE) violation(`${file.lines} lines, more than ${LONGEST_FILE}; is it still one thing?`)
    if (layer !== null && PURE.has(layer)) {
      for (const name of file.facts.ambient)
        violation(`uses ${name}; ${layer}/ is pure: clocks, timers and randomness are arguments`)
    }
  }
  for (const specifier of file.facts.imports) {
    const reason = importViolation(file.path, layer, specifier, runtimeDependencies)
    if (reason !== null) violation(`imports ${specifier ?? 'a computed path'}: ${reason}`)
  }
  return violations
}

function importViolation(
  path: string,
  layer: string | null,
  specifier: string | null,
  runtimeDependencies: ReadonlySet<string>,
): string | null {
  if (specifier === null) return isTest(path) ? null : 'what it imports must be readable from the source'
  if (specifier.startsWith('.')) return relativeImportViolation(path, layer, specifier)
  return isTest(path) ? null : packageImportViolation(layer, specifier, runtimeDependencies)
}

function relativeImportViolation(path: string, layer: string | null, specifier: string): string | null {
  const target = normalize(join(dirname(path), specifier))
  if (target.startsWith('..')) return isTest(path) ? null : 'outside src/'
  if (isTest(target) && !isTest(path)) return 'a test file, which is not part of the package'
  const targetLayer = layerOf(target)
  if (targetLayer === layer) return null
  if (targetLayer === null) return 'the package’s own face; import the folder it comes from'
  if (layer !== null) {
    const open = ['base', ...(MAY_IMPORT[layer] ?? [])].filter((name) => name !== layer)
    if (!open.includes(targetLayer)) return `${layer}/ may import ${open.length === 0 ? 'nothing' : `only ${open.join(', ')}`}`
  }
  // A fixture has no place in a face that is shipped, so tests reach for it directly.
  const throughFace = target === `${targetLayer}/index.ts` || target.endsWith('.fixture.ts')
  return throughFace ? null : `reaches behind ${targetLayer}/index.ts`
}

function packageImportViolation(
  layer: string | null,
  specifier: string,
  runtimeDependencies: ReadonlySet<string>,
): string | null {
  if (specifier.startsWith('node:')) {
    const impure = layer !== null && PURE.has(layer) && !PURE_BUILTINS.has(specifier)
    return impure ? `${layer}/ is pure: bytes or values in, values out` : null
  }
  const [scopeOrName = '', name] = specifier.split('/')
  const packageName = scopeOrName.startsWith('@') ? `${scopeOrName}/${name}` : scopeOrName
  if (scopeOrName === '@vitest') return 'not importable in Vitest 5; use an entry point of vitest'
  if (packageName === 'vitest') {
    if (layer !== 'vitest') return 'only vitest/ knows Vitest'
    return VITEST_ENTRY_POINTS.has(specifier) ? null : 'an entry point that Vitest 4 and 5 do not share'
  }
  return runtimeDependencies.has(packageName) ? null : 'not among the dependencies that are installed with the package'
}

/** The folder right under `src/`; `null` for a file that lies there itself. */
function layerOf(path: string): string | null {
  const [first = ''] = path.split('/')
  return first === path ? null : first
}

function isTest(path: string): boolean {
  return /\.(test|test-d|fixture)\.ts$/.test(basename(path))
}
