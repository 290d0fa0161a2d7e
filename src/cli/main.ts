#!/usr/bin/env node
import { runCli } from './run-cli.ts'

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // Whoever reads has seen enough: `inspect … | head`.
    if (error.code === 'EPIPE') process.exit()
    throw error
  })
}

// Not `process.exit`: what is still on its way into a pipe would be lost.
process.exitCode = await runCli(process.argv.slice(2), process)
