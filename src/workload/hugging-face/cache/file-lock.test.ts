import { existsSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FastClock } from '../with-hub.fixture.ts'
import { withFileLock } from './file-lock.ts'

let directory = ''
let lock = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'file-lock-'))
  lock = join(directory, 'x.lock')
})
afterEach(() => {
  rmSync(directory, { recursive: true, force: true })
})

const clock = new FastClock()
const never = async () => false

test('one at a time, and each gets its turn', async () => {
  let [running, most, done] = [0, 0, 0]
  const work = async () => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => setImmediate(resolve))
    running--
    done++
  }
  await Promise.all(Array.from({ length: 8 }, () => withFileLock(lock, { clock }, never, work)))
  expect([most, done]).toEqual([1, 8])
  expect(existsSync(lock)).toBe(false)
})

test('a lock whose holder died is taken over, by one alone', async () => {
  writeFileSync(lock, '')
  const aMinuteAgo = Date.now() / 1_000 - 60
  utimesSync(lock, aMinuteAgo, aMinuteAgo)
  let [running, most] = [0, 0]
  const work = async () => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => setImmediate(resolve))
    running--
  }
  await Promise.all(Array.from({ length: 4 }, () => withFileLock(lock, { clock }, never, work)))
  expect(most).toBe(1)
})

test('a lock that is held is waited for, until nothing is left to do', async () => {
  writeFileSync(lock, '')
  let asked = 0
  await withFileLock(
    lock,
    { clock },
    async () => ++asked === 3,
    () => Promise.reject(new Error('must not run')),
  )
  expect(asked).toBe(3)
  expect(existsSync(lock)).toBe(true)
})

test('an abort ends the waiting', async () => {
  writeFileSync(lock, '')
  const abort = new AbortController()
  const settled = async () => {
    abort.abort(new Error('enough'))
    return false
  }
  await expect(withFileLock(lock, { clock, signal: abort.signal }, settled, async () => {})).rejects.toThrow('enough')
})

test('work that fails lets go', async () => {
  await expect(withFileLock(lock, { clock }, never, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(existsSync(lock)).toBe(false)
})

test('a holder keeps its lock fresh for as long as it works', async () => {
  const aMinuteAgo = Date.now() / 1_000 - 60
  await withFileLock(lock, { clock }, never, async () => {
    utimesSync(lock, aMinuteAgo, aMinuteAgo)
    await vi.waitFor(() => expect(statSync(lock).mtimeMs).toBeGreaterThan(Date.now() - 30_000))
  })
})
