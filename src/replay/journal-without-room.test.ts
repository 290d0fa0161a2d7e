import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readJournal } from '../journal/index.ts'
import { chain } from './graph.fixture.ts'
import { replay } from './replay.ts'
import { workloadOf } from './virtual-run.fixture.ts'

type Write = (
  fd: number,
  bytes: Buffer,
  offset: number,
  length: number,
  position: unknown,
  done: (error: Error | null, written?: number) => void,
) => void

/** How many bytes the disk of the journal still takes. */
const disk = vi.hoisted(() => ({ freeBytes: 0 }))
vi.mock(import('node:fs'), async (original) => {
  const real = await original()
  const write: Write = (fd, bytes, offset, length, _position, done) => {
    const fits = Math.min(length, disk.freeBytes)
    if (fits === 0) {
      done(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }))
      return
    }
    // As disks do, it takes what fits of a line.
    disk.freeBytes -= fits
    real.write(fd, bytes, offset, fits, null, done)
  }
  const createWriteStream = (path: string, options: object) => {
    const fs = { open: real.open, close: real.close, write }
    return real.createWriteStream(path, { ...options, fs } as never)
  }
  return { ...real, createWriteStream: createWriteStream as typeof real.createWriteStream }
})

test.each([
  ['from the start', 0],
  ['in the midst of the run', 10_000],
])('a disk that is full %s costs the journal alone', async (_, freeBytes) => {
  disk.freeBytes = freeBytes
  const folder = mkdtempSync(join(tmpdir(), 'full-disk-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const run = await replay({
    workload: workloadOf(Array.from({ length: 30 }, (_, index) => chain(`s${index}`, 2))),
    simulator: { speed: Number.POSITIVE_INFINITY },
    stages: [{ concurrentSessions: 3 }],
    journal: { folder },
  })
  expect(run.sessionCounts).toMatchObject({ total: 30, succeeded: 30 })
  expect(run.gradable).toEqual({ ok: true })
  expect(run.warnings).toMatchObject([{ code: 'journal-not-written', message: expect.stringContaining('ENOSPC') }])
  if (freeBytes === 0) return
  const [name = ''] = readdirSync(folder).filter((entry) => entry !== '.gitignore')
  const written = await readJournal(join(folder, name))
  expect(written.sessions.length).toBeGreaterThan(1)
  expect(run.sessions).toEqual(expect.arrayContaining([...written.sessions]))
  expect(written.warnings).toMatchObject([{ code: 'run-not-finished' }])
})
