import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { scrapeServerMetrics } from './scrape.ts'

async function serve(listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.closeAllConnections())
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/metrics`, intervalMs: 1_000, headers: { authorization: 'Bearer k3y' } }
}

test('reads what the server says, with the target’s headers', async () => {
  let authorization: string | undefined
  const metrics = await serve((request, response) => {
    authorization = request.headers.authorization
    response.end('vllm:num_requests_running 3\n')
  })
  expect(await scrapeServerMetrics(metrics)).toMatchObject({ reading: { running: 3 } })
  expect(authorization).toBe('Bearer k3y')
})

test.each<[string, RequestListener, string]>([
  ['404', (_, response) => void response.writeHead(404).end('no'), 'it answered 404'],
  ['another page', (_, response) => void response.end('<html>'), 'its answer holds no metric of vLLM, SGLang or TGI'],
  ['an answer without end', (_, response) => void response.end('x'.repeat(9 * 1024 * 1024)), 'its answer is longer than'],
  ['a cut answer', (request) => void request.socket.destroy(), 'it could not be read (UND_ERR_SOCKET)'],
])('%s is said, and nothing is thrown', async (_, listener, problem) => {
  // Nine megabytes take a while on a busy machine.
  expect(await scrapeServerMetrics(await serve(listener), 60_000)).toMatchObject({ problem: expect.stringContaining(problem) })
})

test('so is an answer that does not come, or not to its end', async () => {
  for (const listener of [() => {}, (_: unknown, response: ServerResponse) => void response.write('# HELP')]) {
    expect(await scrapeServerMetrics(await serve(listener), 20)).toEqual({ problem: 'its answer had not come after 20 ms' })
  }
})

test('so is a server that is not there', async () => {
  const found = await scrapeServerMetrics({ url: 'http://127.0.0.1:1/metrics', intervalMs: 1_000, headers: {} })
  expect(found).toEqual({ problem: 'it could not be read (ECONNREFUSED)' })
})
