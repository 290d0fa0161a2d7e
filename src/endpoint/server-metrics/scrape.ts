import { request } from 'undici'
import type { Target } from '../target.ts'
import { readServerMetrics, type ServerReading } from './server-reading.ts'

/** Longest answer that is read: vLLM's has about 100 kB. */
const MOST_BYTES = 8 * 1024 * 1024
const TIMEOUT_MS = 2_000

export type Scrape = { readonly reading: ServerReading } | { readonly problem: string }

/** Asks a target once for its metrics. What goes wrong is a result, never a rejection, and names no key. */
export async function scrapeServerMetrics(
  metrics: NonNullable<Target['metrics']>,
  timeoutMs: number = TIMEOUT_MS,
): Promise<Scrape> {
  const { url, headers } = metrics
  try {
    const { statusCode, body } = await request(url, {
      headers: { ...headers, accept: 'text/plain' },
      // No connection is to outlive the run.
      reset: true,
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (statusCode !== 200) {
      await body.dump()
      return { problem: `it answered ${statusCode}` }
    }
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of body) {
      bytes += chunk.length
      if (bytes > MOST_BYTES) return { problem: `its answer is longer than ${MOST_BYTES} bytes` }
      chunks.push(chunk)
    }
    const reading = readServerMetrics(Buffer.concat(chunks).toString('utf8'))
    return reading === undefined ? { problem: 'its answer holds no metric of vLLM, SGLang or TGI' } : { reading }
  } catch (error) {
    const { code, name } = error as { code?: unknown; name?: unknown }
    if (name === 'TimeoutError') return { problem: `its answer had not come after ${timeoutMs} ms` }
    return { problem: `it could not be read (${String(code ?? name ?? error)})` }
  }
}
