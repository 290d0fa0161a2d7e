/**
 * A data set of many long sessions in one parquet file, larger in memory than the process may become: how soon the first
 * session is there, and how much memory it takes to go through all of them. In one row group, which is the worst case, and in
 * row groups of 100 sessions.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { huggingFace, type WorkloadContext } from '../src/workload/index.ts'

const DATASET = 'bench/sessions'
const SESSIONS = 1_781
const CALLS_PER_SESSION = 25
const BARS = { firstSessionMs: 2_000, residentMegabytes: 400 }

let missed = false

/** Going through a data set in a process of its own, so that nothing else counts. */
async function walk(cacheDir: string): Promise<void> {
  const context: WorkloadContext = {
    cwd: cacheDir,
    onInvalidTrace: 'fail',
    warn: (warning) => console.log(warning),
    onProgress: () => {},
  }
  const startMs = performance.now()
  let [sessions, calls, firstMs] = [0, 0, 0]
  for await (const graph of huggingFace(DATASET, { cacheDir, offline: true }).open(context)) {
    if (sessions++ === 0) firstMs = performance.now() - startMs
    calls += graph.nodes.length
  }
  const totalMs = performance.now() - startMs
  // In kilobytes, the most it ever was.
  const residentMegabytes = (process.resourceUsage().maxRSS * 1_024) / 1e6
  if (sessions !== SESSIONS || calls !== SESSIONS * CALLS_PER_SESSION)
    throw new Error(`Read ${sessions} sessions, ${calls} calls.`)
  process.send?.({ firstMs, totalMs, residentMegabytes })
}

async function measure(rowsPerGroup: number): Promise<void> {
  const cacheDir = mkdtempSync(join(tmpdir(), 'hugging-face-parquet-'))
  const here = fileURLToPath(import.meta.url)
  try {
    const hub = fork(
      new URL('./session-table-hub.js', import.meta.url),
      [DATASET, SESSIONS, CALLS_PER_SESSION, rowsPerGroup].map(String),
    )
    const [{ url, bytes }] = (await once(hub, 'message')) as [{ url: string; bytes: number }]
    const fetchStartMs = performance.now()
    const context: WorkloadContext = { cwd: cacheDir, onInvalidTrace: 'fail', warn: () => {}, onProgress: () => {} }
    for await (const _ of huggingFace(DATASET, { cacheDir, hubUrl: url, limit: 1 }).open(context)) break
    const fetchMs = performance.now() - fetchStartMs
    hub.disconnect()

    const walker = fork(here, ['walk', cacheDir], { env: { ...process.env, HF_ENDPOINT: url } })
    const [figures] = (await once(walker, 'message')) as [{ firstMs: number; totalMs: number; residentMegabytes: number }]
    const name = `${SESSIONS} sessions × ${CALLS_PER_SESSION} calls, ${(bytes / 1e6).toFixed(0)} MB of parquet, row groups of ${rowsPerGroup}`
    console.log(
      `${name}: fetched from a local hub in ${fetchMs.toFixed(0)} ms, all sessions read in ${(figures.totalMs / 1e3).toFixed(1)} s`,
    )
    report(`${name}: first session, ms`, figures.firstMs, BARS.firstSessionMs)
    report(`${name}: resident memory, MB`, figures.residentMegabytes, BARS.residentMegabytes)
  } finally {
    rmSync(cacheDir, { recursive: true, force: true })
  }
}

function report(what: string, value: number, bar: number): void {
  const ok = value < bar
  missed ||= !ok
  console.log(`${ok ? 'ok  ' : 'MISS'}  ${what}: ${value.toFixed(0)} (below ${bar})`)
}

const [mode, cacheDir = ''] = process.argv.slice(2)
if (mode === 'walk') await walk(cacheDir)
else {
  await measure(SESSIONS)
  await measure(100)
  process.exitCode = missed ? 1 : 0
}
