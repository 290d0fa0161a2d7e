import { randomUUID } from 'node:crypto'
import { open, rename, rm, stat, utimes } from 'node:fs/promises'
import type { Clock } from '../../../base/index.ts'

/** A holder renews its lock this often; one that has not been renewed for much longer belongs to a process that died. */
const RENEW_MS = 2_000
const STALE_MS = 15_000
const POLL_MS = 100

export interface LockOptions {
  readonly clock: Clock
  readonly signal?: AbortSignal | undefined
  /** Wall clock, in milliseconds: what file times are held against. */
  readonly wallClock?: () => number
}

/**
 * Runs `work` while no other process runs work under the same lock file. Who comes second waits.
 *
 * @param settled asked before each wait: `true` ends the waiting without running `work`
 */
export async function withFileLock(
  path: string,
  { clock, signal, wallClock = Date.now }: LockOptions,
  settled: () => Promise<boolean>,
  work: () => Promise<void>,
): Promise<void> {
  while (!(await take(path))) {
    signal?.throwIfAborted()
    if (await settled()) return
    if (await isStale(path, wallClock)) await removeStale(path, wallClock)
    else await new Promise<void>((resolve) => void clock.after(POLL_MS, resolve))
  }
  const renewal = renew(path, clock, wallClock)
  try {
    await work()
  } finally {
    renewal.cancel()
    await rm(path, { force: true })
  }
}

async function take(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx')).close()
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

function renew(path: string, clock: Clock, wallClock: () => number) {
  let timer = clock.after(RENEW_MS, again)
  let held = true
  function again() {
    const seconds = wallClock() / 1_000
    void utimes(path, seconds, seconds).catch(() => {})
    if (held) timer = clock.after(RENEW_MS, again)
  }
  return {
    cancel() {
      held = false
      timer.cancel()
    },
  }
}

async function isStale(path: string, wallClock: () => number): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && wallClock() - found.mtimeMs > STALE_MS
}

/** Moved aside first: of several that find it stale, one alone gets to remove it. */
async function removeStale(path: string, wallClock: () => number): Promise<void> {
  const aside = `${path}.${randomUUID()}`
  try {
    await rename(path, aside)
  } catch {
    return
  }
  if (await isStale(aside, wallClock)) await rm(aside, { force: true })
  // Another was faster and holds the lock anew: give it back.
  else await rename(aside, path).catch(() => {})
}
