import { Command } from 'commander'
import { expect, test, vi } from 'vitest'
import { registerSimulate, runSimulate } from './simulate.ts'

/** Runs the command until `during` is done with it. */
async function run(
  options: Parameters<typeof runSimulate>[0],
  during: (url: string) => Promise<void>,
  isTTY = false,
): Promise<{ stdout: string; stderr: string }> {
  const interrupt = new AbortController()
  let stdout = ''
  let stderr = ''
  const output = {
    stdout: { write: (text: string) => (stdout += text) },
    stderr: { isTTY, write: (text: string) => (stderr += text) },
  }
  const done = runSimulate(options, output, interrupt.signal)
  await vi.waitFor(() => expect(stdout).toContain('http://'), { timeout: 20_000, interval: 5 })
  await during(/http:\/\/\S+/.exec(stdout)?.[0] ?? '')
  interrupt.abort()
  await done
  return { stdout, stderr }
}

test('serves until it is interrupted, and says how to try it', async () => {
  let url = ''
  const { stdout, stderr } = await run({ models: ['tiny'] }, async (given) => {
    url = given
    expect((await fetch(`${url}/v1/models`)).status).toBe(200)
  })
  expect(stdout.replaceAll(url, 'URL')).toMatchInlineSnapshot(`
    "Simulated inference server at URL

      curl -N URL/v1/chat/completions -H 'content-type: application/json' -d '{"model":"tiny","stream":true,"max_tokens":32,"messages":[{"role":"user","content":"Hello"}]}'

    "
  `)
  expect(stderr).toBe('')
  await expect(fetch(url)).rejects.toThrow()
})

test('never shows the key', async () => {
  const { stdout } = await run({ apiKey: 'sk-secret' }, async () => undefined)
  expect(stdout).toContain('$API_KEY')
  expect(stdout).not.toContain('sk-secret')
})

test('shows its load on a terminal', async () => {
  let seen = ''
  const interrupt = new AbortController()
  const output = {
    stdout: { write: () => undefined },
    stderr: {
      isTTY: true,
      write(text: string) {
        seen += text
        if (text.includes('running')) interrupt.abort()
      },
    },
  }
  await runSimulate({}, output, interrupt.signal)
  expect(seen).toContain('0 received · 0 running · 0 queued')
  expect(seen.endsWith('\r\x1b[K'), 'and clears the line in the end').toBe(true)
})

test('an interrupt that came before the start ends it too', async () => {
  const output = { stdout: { write: () => undefined }, stderr: { write: () => undefined } }
  await runSimulate({}, output, AbortSignal.abort())
})

test('every flag reaches the simulator', async () => {
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined })
  registerSimulate(program)
  const parse = (...flags: string[]) => program.parseAsync(['simulate', ...flags], { from: 'user' })
  await expect(parse('--max-batch', 'many')).rejects.toThrow('Expected a number')
  // A value the simulator refuses shows that it arrived, under the simulator's own name.
  for (const [flag, option] of [
    ['port', 'port'],
    ['max-batch', 'maxBatch'],
    ['prefill-tokens-per-second', 'prefillTokensPerSecond'],
    ['decode-step-ms', 'decodeStepMs'],
    ['decode-slowdown-per-request', 'decodeSlowdownPerRequest'],
    ['speed', 'speed'],
    ['seed', 'seed'],
    ['cache-tokens', 'cacheTokens'],
    ['context-tokens', 'contextTokens'],
    ['output-tokens', 'outputTokens'],
    ['tokens-per-chunk', 'tokensPerChunk'],
    ['tool-call-rate', 'toolCallRate'],
    ['reasoning-tokens', 'reasoning.tokens'],
  ] as const) {
    await expect(parse(`--${flag}`, '-0.5'), flag).rejects.toThrow(`\`${option}\` is -0.5`)
  }
  await expect(parse('--host', '')).rejects.toThrow('`host`')
  await expect(parse('--api-key', '')).rejects.toThrow('`apiKey`')
  await expect(parse('--model', '')).rejects.toThrow('`models[0]`')
})
