// Copies the quickstart to where a reader would put it, a project with the package installed, and runs it there.
// Usage: node .ci/check-quickstart.mjs FOLDER   (a consumer project in which the package is installed)
import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { runVitest } from './run-vitest.mjs'

const [folder] = process.argv.slice(2)
assert(folder, 'the folder of the consumer project is missing')
const project = join(resolve(folder), 'quickstart')
cpSync('examples/quickstart', project, { recursive: true })
const { status } = runVitest(project)
assert.equal(status, 0)
