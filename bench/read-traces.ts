/**
 * Reading a coding session and building its graph, against `JSON.parse` of the file and of the messages inside it: a floor for
 * any reader that parses the whole file. Two sizes show that the cost follows the bytes, not the square of the calls.
 */
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { buildGraph } from '../src/graph/index.ts'
import { readSessions } from '../src/trace/index.ts'
import { type SyntheticTrace, syntheticTrace } from './synthetic-session.ts'

const BARS = { time: 1.5, growth: 1.3, heap: 2 }
/** A small trace gets more rounds: the engine compiles what has run often. */
const BYTES_IN_ALL_ROUNDS = 600e6

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function readAll(file: Uint8Array) {
  const files = [{ name: 'synthetic.json', bytes: file }]
  const warn = ({ message }: { message: string }) => {
    throw new Error(message)
  }
  return [...readSessions(files, { warn, onInvalidTrace: 'fail' })]
}

/** Returns what it parsed, so that no engine can leave the work out. */
function parseAll(text: string, messageTexts: readonly string[]): unknown[] {
  return [JSON.parse(text), ...messageTexts.map((messages) => JSON.parse(messages) as unknown)]
}

/**
 * Of the processor, not of the clock on the wall: other processes on the machine must not decide. Garbage is not collected by
 * force in between: the engine would throw compiled code away with it.
 */
function cpuMs(work: () => unknown[]): number {
  const start = process.cpuUsage()
  const result = work()
  const { user, system } = process.cpuUsage(start)
  if (result.length === 0) throw new Error('Nothing was read.')
  return (user + system) / 1_000
}

/** The two take turns, so that both meet the machine in the same moods; the best round of each counts. */
function measure({ file, messageTexts }: SyntheticTrace): { readMs: number; parseMs: number } {
  const text = Buffer.from(file).toString()
  let [readMs, parseMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round * file.length < BYTES_IN_ALL_ROUNDS; round++) {
    parseMs = Math.min(
      parseMs,
      cpuMs(() => parseAll(text, messageTexts)),
    )
    readMs = Math.min(
      readMs,
      cpuMs(() => readAll(file).map(buildGraph)),
    )
  }
  return { readMs, parseMs }
}

/** The median of a few measurements, the first left out: the engine also makes and drops things of its own, such as code. */
async function usualHeap(file: Uint8Array): Promise<{ session: number; graph: number }> {
  await heapBytes(file)
  const heaps = [await heapBytes(file), await heapBytes(file), await heapBytes(file)]
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[1] ?? Number.NaN
  return { session: median(heaps.map(({ session }) => session)), graph: median(heaps.map(({ graph }) => graph)) }
}

/** What the session holds, and what its graph adds. */
async function heapBytes(file: Uint8Array): Promise<{ session: number; graph: number }> {
  const before = await heapUsed()
  const sessions = readAll(file)
  const read = await heapUsed()
  const graphs = sessions.map(buildGraph)
  const built = await heapUsed()
  if (graphs.length !== 1) throw new Error('Expected one session.')
  return { session: read - before, graph: built - read }
}

/** Collected until nothing more goes: the engine lets go of weak references, and of what hangs on them, a task later. */
async function heapUsed(): Promise<number> {
  let [used, before] = [0, Number.POSITIVE_INFINITY]
  for (let collections = 0; collections < 3 || before - used > 10_000; collections++) {
    await setImmediate()
    collectGarbage()
    before = used || before
    used = process.memoryUsage().heapUsed
  }
  return used
}

let missed = false
function report(what: string, value: number, bar: number): void {
  const ok = value <= bar
  missed ||= !ok
  console.log(`${ok ? 'ok  ' : 'MISS'}  ${what}: ${value.toFixed(2)} (at most ${bar})`)
}

for (const container of ['flat spans', 'OTLP/JSON'] as const) {
  const perByte: number[] = []
  for (const calls of [44, 176]) {
    const trace = syntheticTrace({ calls, seed: 1, container })
    const { readMs, parseMs } = measure(trace)
    const { session, graph } = await usualHeap(trace.file)
    const heap = (bytes: number) => (bytes / trace.distinctBytes).toFixed(2)
    perByte.push(readMs / trace.file.length)
    console.log(`${container}, ${calls} calls, ${(trace.file.length / 1e6).toFixed(1)} MB`)
    console.log(
      `      reading and graph ${readMs.toFixed(1)} ms, JSON.parse ${parseMs.toFixed(1)} ms, heap ${heap(session)} + ${heap(graph)} × text`,
    )
    report('time / time of JSON.parse', readMs / parseMs, BARS.time)
    report('heap after reading and graph / distinct text', (session + graph) / trace.distinctBytes, BARS.heap)
  }
  const [smaller = Number.NaN, larger = Number.NaN] = perByte
  report('time per byte of the larger / of the smaller', larger / smaller, BARS.growth)
}
process.exitCode = missed ? 1 : 0
