/**
 * Reading one session as each recorder writes it, against `JSON.parse` of the file's bytes: the JSON texts inside stay texts for it, so a
 * reader is given less time than it takes to parse all it is given.
 */
import { dialects } from '../src/trace/dialects/index.ts'
import { readSessions } from '../src/trace/index.ts'
import { WRITERS } from './dialect-writers.ts'
import { writtenSession } from './written-session.ts'

const LEAST_SPEED = 0.5
const CALLS = 44
const ROUNDS = { least: 20, leastMs: 1_500 }

const missing = dialects.filter(({ name }) => !Object.hasOwn(WRITERS, name))
if (missing.length > 0) throw new Error(`No writer for: ${missing.map(({ name }) => name).join(', ')}.`)

const slow: string[] = []
const only = process.argv[2] ?? ''
for (const [dialect, writer] of Object.entries(WRITERS)) {
  if (!dialect.includes(only)) continue
  const file = writtenSession(writer, CALLS, 7)
  const [readMs, parseMs] = measure(file)
  const speed = parseMs / readMs
  if (speed < LEAST_SPEED) slow.push(dialect)
  const megabytes = (file.length / 2 ** 20).toFixed(1)
  console.log(
    `${dialect.padEnd(32)} ${megabytes.padStart(5)} MiB  JSON.parse ${parseMs.toFixed(1).padStart(6)} ms  read ${readMs.toFixed(1).padStart(6)} ms  ${speed.toFixed(2)} × the speed`,
  )
}
if (slow.length > 0) {
  console.error(`Below ${LEAST_SPEED} × the speed of JSON.parse: ${slow.join(', ')}`)
  process.exitCode = 1
}

/** Time of the processor, the best round of each; the two take turns, so that both meet the machine in the same moods. */
function measure(file: Uint8Array): [readMs: number, parseMs: number] {
  const bytes = Buffer.from(file)
  let [readMs, parseMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  const begun = performance.now()
  for (let round = 0; round < ROUNDS.least || performance.now() - begun < ROUNDS.leastMs; round++) {
    parseMs = Math.min(
      parseMs,
      cpuMs(() => [JSON.parse(bytes.toString()) as unknown]),
    )
    readMs = Math.min(
      readMs,
      cpuMs(() => readAll(file)),
    )
  }
  return [readMs, parseMs]
}

function readAll(file: Uint8Array) {
  const sessions = [...readSessions([{ name: 'session.json', bytes: file }], { warn: () => {}, onInvalidTrace: 'fail' })]
  if (sessions[0]?.calls.length !== CALLS) throw new Error(`Read ${sessions[0]?.calls.length} calls of ${CALLS}.`)
  return sessions
}

function cpuMs(work: () => unknown[]): number {
  const start = process.cpuUsage()
  if (work().length === 0) throw new Error('Nothing was read.')
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000
}
