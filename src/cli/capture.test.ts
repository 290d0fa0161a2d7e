import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { context, trace } from '@opentelemetry/api'
import { SeverityNumber } from '@opentelemetry/api-logs'
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs'
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type CaptureOptions, startCapture } from '../capture/index.ts'
import { replay } from '../replay/index.ts'
import { traces } from '../workload/index.ts'
import { runCapture } from './capture.ts'
import { runAgent } from './recorded-agent.fixture.ts'

let directory = ''

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'capture-'))
})

afterEach(() => {
  rmSync(directory, { recursive: true, force: true })
})

async function replayCaptured() {
  return replay({
    workload: traces(directory),
    simulator: { speed: Number.POSITIVE_INFINITY },
    stages: [{ concurrentSessions: 2 }],
    timeScale: 0,
  })
}

test.each([
  ['JSON', (url: string) => new JsonExporter({ url: `${url}/v1/traces` })],
  ['protobuf', (url: string) => new ProtobufExporter({ url: `${url}/v1/traces` })],
])('what the real exporter sends as %s is captured, a file per session, and replays', async (_, exporterFor) => {
  const capture = await startCapture({ out: directory, port: 0 })
  await runAgent(exporterFor(capture.url), 'one')
  await runAgent(exporterFor(capture.url), 'two')
  await capture.close()
  expect(capture.files).toHaveLength(2)
  const run = await replayCaptured()
  expect(run.sessionCounts).toMatchObject({ total: 2, succeeded: 2 })
  expect(run.requests.map((request) => request.splices.live).sort()).toEqual([0, 0, 1, 1])
})

test('content that comes in log records is joined to its spans', async () => {
  const capture = await startCapture({ out: directory, port: 0 })
  const provider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(new JsonExporter({ url: `${capture.url}/v1/traces` }))],
  })
  const logs = new LoggerProvider({
    processors: [new SimpleLogRecordProcessor({ exporter: new OTLPLogExporter({ url: `${capture.url}/v1/logs` }) })],
  })
  const span = provider
    .getTracer('ferry-agent')
    .startSpan('chat ferry-1', { attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'ferry-1' } })
  const inside = trace.setSpan(context.active(), span)
  const emit = (name: string, body: Record<string, string | Record<string, string>>) =>
    logs.getLogger('ferry-agent').emit({ eventName: name, body, context: inside, severityNumber: SeverityNumber.INFO })
  emit('gen_ai.user.message', { content: 'Where does the night ferry leave?' })
  emit('gen_ai.choice', { message: { role: 'assistant', content: 'From pier four.' } })
  span.end()
  await Promise.all([provider.forceFlush(), logs.forceFlush()])
  await Promise.all([provider.shutdown(), logs.shutdown()])
  await capture.close()
  const run = await replayCaptured()
  expect(run.sessionCounts).toMatchObject({ total: 1, succeeded: 1 })
})

test('redacted, nothing of the texts is on disk, and the session replays with its splices', async () => {
  const capture = await startCapture({ out: directory, port: 0, redact: true })
  await runAgent(new ProtobufExporter({ url: `${capture.url}/v1/traces` }), 'one')
  await capture.close()
  const text = readdirSync(directory)
    .map((name) => readFileSync(join(directory, name), 'utf8'))
    .join('')
  for (const word of ['ferry leave', 'pier', 'night', 'past nine']) expect(text).not.toContain(word)
  const run = await replayCaptured()
  expect(run.requests.map((request) => request.splices.live).sort()).toEqual([0, 1])
})

async function post(url: string, path: string, body: string | Uint8Array, headers: Record<string, string> = {}) {
  return fetch(`${url}${path}`, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })
}

test('metrics are taken and dropped, gzip is unpacked, and anything else is refused with its reason', async () => {
  const refused: string[] = []
  const capture = await startCapture({
    out: directory,
    port: 0,
    onReceived: (received) => void (received.state === 'refused' && refused.push(received.reason)),
  })
  try {
    expect((await post(capture.url, '/v1/metrics', '{"resourceMetrics":[]}')).status).toBe(200)
    expect((await post(capture.url, '/v1/traces', gzipSync('{"resourceSpans":[]}'), { 'content-encoding': 'gzip' })).status).toBe(
      200,
    )
    expect((await post(capture.url, '/v1/traces', '{"resourceSpans":[')).status).toBe(400)
    expect((await post(capture.url, '/elsewhere', '{}')).status).toBe(404)
    expect(refused).toEqual([expect.stringContaining('ends too early')])
  } finally {
    await capture.close()
  }
  expect(capture.files).toEqual([])
})

test('a port that is taken is one clear error', async () => {
  const capture = await startCapture({ out: directory, port: 0 })
  const port = Number(new URL(capture.url).port)
  await expect(startCapture({ out: directory, port })).rejects.toMatchObject({
    code: 'CAPTURE',
    message: expect.stringContaining('--port'),
  })
  await capture.close()
})

test.each<[object | undefined, string, string]>([
  [undefined, 'INVALID_OPTION', 'capture options: the value is missing'],
  [{}, 'INVALID_OPTION', '`out` is missing, expected text'],
  [{ out: 'x', port: 99_999 }, 'INVALID_OPTION', '`port` is 99999, expected a number ≤ 65535'],
  [{ out: import.meta.filename }, 'CAPTURE', 'Cannot write to the directory'],
])('what it cannot start with is one clear error: %j', async (options, code, message) => {
  const problem = startCapture(options as CaptureOptions).then((capture) => capture.close())
  await expect(problem).rejects.toMatchObject({ code, message: expect.stringContaining(message) })
})

test('the command shows what was captured, and what it lacks, when it ends', async () => {
  const printed: string[] = []
  const output = { stdout: { write: (text: string) => printed.push(text) }, stderr: { write: () => {} } }
  const stop = new AbortController()
  const running = runCapture({ out: directory, port: 0 }, output as never, stop.signal)
  await expect.poll(() => printed.join('')).toContain('OTEL_EXPORTER_OTLP_ENDPOINT=')
  const url = /ENDPOINT=(\S+)/.exec(printed.join(''))?.[1] ?? ''
  await runAgent(new JsonExporter({ url: `${url}/v1/traces` }), 'one')
  stop.abort()
  await running
  expect(printed.join('')).toContain('1 file written.')
  expect(printed.join('')).toContain('2 calls')
})
