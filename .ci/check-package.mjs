// Packs the package as it would be published, looks at what is in it, and installs it beside a plain consumer.
// Usage: node .ci/check-package.mjs FOLDER   (the consumer project is left in FOLDER for the checks that follow)
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const [folder] = process.argv.slice(2)
assert(folder, 'the folder for the consumer project is missing')
const consumer = resolve(folder)
const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const run = (command, args, cwd) => execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

mkdirSync(consumer, { recursive: true })
const [packed] = JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', consumer]))
const files = packed.files.map((file) => file.path)

const strays = files.filter((path) => !/^(dist\/.+\.(js|d\.ts)(\.map)?|package\.json|README\.md|LICENSE)$/.test(path))
assert.deepEqual(strays, [], 'files that do not belong into the package')
const tests = files.filter((path) => /\.(test|test-d|fixture)\./.test(path))
assert.deepEqual(tests, [], 'tests in the package')
const bin = manifest.bin['vitest-trace-replay'].replace(/^\.\//, '')
const entryPoints = Object.values(manifest.exports).flatMap((entry) => (typeof entry === 'string' ? entry : Object.values(entry)))
const missing = [...entryPoints.map((path) => path.replace(/^\.\//, '')), bin, 'README.md', 'LICENSE'].filter(
  (path) => !files.includes(path),
)
assert.deepEqual(missing, [], 'files that the manifest promises')
for (const path of files.filter((path) => /\.(js|d\.ts)$/.test(path))) {
  const specifiers = [...readFileSync(path, 'utf8').matchAll(/(?:from|import\()\s*['"](\.[^'"]+)['"]/g)]
  // A declaration names the source it was made from, and finds the declaration made from that.
  const targets = specifiers.map(([, specifier]) => join(path, '..', specifier).replace(/(\.d)?\.ts$/, '.d.ts'))
  const dangling = targets.filter((target) => !files.includes(target))
  assert.deepEqual(dangling, [], `${path} imports files that are not in the package`)
}

const versions = Object.fromEntries(['vitest', 'typescript', '@types/node'].map((name) => [name, manifest.devDependencies[name]]))
writeFileSync(
  join(consumer, 'package.json'),
  JSON.stringify({ name: 'consumer', private: true, type: 'module', devDependencies: versions }),
)
run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--save-dev', `./${packed.filename}`], consumer)

const installed = join(consumer, 'node_modules', manifest.name)
assert.match(readFileSync(join(installed, bin), 'utf8'), /^#!\/usr\/bin\/env node\n/, 'the command has no shebang')
assert(statSync(join(installed, bin)).mode & 0o100, 'the command is not executable')
const command = join(consumer, 'node_modules', '.bin', 'vitest-trace-replay')
assert.match(run(command, ['--help'], consumer), /inspect/)
assert.equal(run(command, ['--version'], consumer).trim(), manifest.version)

// Matchers and setup register themselves with a running Vitest; everything else must load in plain Node.
const plain = Object.keys(manifest.exports).filter((path) => !['./package.json', './matchers', './setup'].includes(path))
for (const path of plain) {
  const specifier = join(manifest.name, path)
  const names = run(
    'node',
    ['-e', `import(${JSON.stringify(specifier)}).then((m) => console.log(Object.keys(m).join(' ')))`],
    consumer,
  ).trim()
  assert.notEqual(names, '', `${specifier} exports nothing`)
  console.log(`${specifier}: ${names}`)
}
console.log(
  `${packed.filename}: ${files.length} files, ${Math.round(packed.size / 1024)} kB packed, ${Math.round(packed.unpackedSize / 1024)} kB installed`,
)
