import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCli } from './run-cli.ts'

let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'inspect-'))
  writeFileSync(join(folder, 'a.json'), flatTrace('a'))
  writeFileSync(join(folder, 'b.json'), flatTrace('b'))
  writeFileSync(join(folder, 'broken.txt'), '{"spans": [')
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function flatTrace(name: string): string {
  const span = {
    trace_id: name,
    span_id: `${name}1`,
    name: 'chat tiny',
    start_time: '2026-01-01T00:00:00Z',
    end_time: '2026-01-01T00:00:01Z',
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'tiny',
      'gen_ai.input.messages': JSON.stringify([{ role: 'user', content: `Hello ${name}` }]),
      'gen_ai.output.text': 'Hi',
    },
  }
  return JSON.stringify({ spans: [span] })
}

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let out = ''
  let err = ''
  const code = await runCli(args, {
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text) },
  })
  return { code, out, err }
}

describe('inspect', () => {
  test('prints text without colours where there is no terminal', async () => {
    const { code, out, err } = await run('inspect', join(folder, 'a.json'))
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('#1  a1  chat tiny')
    expect(out).not.toContain('\u001b')
  })

  test('reads several files, directories and globs as one set, each file once', async () => {
    const { out } = await run('inspect', folder, join(folder, '*.json').replaceAll('\\', '/'), join(folder, 'b.json'), '--json')
    const sources = JSON.parse(out).sessions.map(({ calls }: { calls: { id: string }[] }) => calls.map(({ id }) => id))
    expect(sources).toEqual([['a1'], ['b1']])
  })

  test('prints Mermaid', async () => {
    const { code, out } = await run('inspect', join(folder, 'a.json'), '--mermaid')
    expect(code).toBe(0)
    expect(out).toMatch(/^flowchart TD\n {2}subgraph/)
  })

  test('a file that cannot be read is one clear message, no stack, and nothing on stdout', async () => {
    const { code, out, err } = await run('inspect', join(folder, 'a.json'), join(folder, 'broken.txt'))
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain('broken.txt')
    expect(err).not.toMatch(/\n\s+at /)
  })

  test('with --on-invalid-trace skip it is left out and listed', async () => {
    const paths = [join(folder, 'a.json'), join(folder, 'broken.txt')]
    const text = await run('inspect', ...paths, '--on-invalid-trace', 'skip')
    expect(text).toMatchObject({ code: 0, err: '' })
    expect(text.out).toMatch(/1 warning\n.*broken\.txt/)
    const json = await run('inspect', ...paths, '--on-invalid-trace', 'skip', '--json')
    expect(JSON.parse(json.out).warnings).toHaveLength(1)
    const mermaid = await run('inspect', ...paths, '--on-invalid-trace', 'skip', '--mermaid')
    expect(mermaid.out).not.toContain('broken')
    expect(mermaid.err).toContain('broken.txt')
  })

  test('a path that leads nowhere is an error that names it', async () => {
    const { code, err } = await run('inspect', join(folder, 'missing.json'))
    expect(code).toBe(1)
    expect(err).toContain('missing.json')
  })
})

describe('a command line that is not understood ends with 2 and says why', () => {
  test.each([
    [['inspect'], "missing required argument 'file'"],
    [['inspect', 'a.json', '--json', '--mermaid'], "option '--json' cannot be used with option '--mermaid'"],
    [['inspect', 'a.json', '--on-invalid-trace', 'ignore'], 'Allowed choices are fail, skip'],
    [['inspect', 'a.json', '--jsn'], 'Did you mean --json?'],
    [['inspekt', 'a.json'], 'Did you mean inspect?'],
    [[], 'Usage: vitest-trace-replay'],
  ])('%j', async (args, message) => {
    const { code, out, err } = await run(...args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
  })
})

test.each(['inspect', 'capture', 'publish', 'simulate', 'report'])('the help of %s stays within 80 columns', async (command) => {
  const { out } = await run(command, '--help')
  for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
})

test('help and version are answers, not errors', async () => {
  const help = await run('--help')
  expect(help).toMatchObject({ code: 0, err: '' })
  expect(help.out).toMatch(/inspect .*\n/)
  expect(help.out).toMatch(/simulate .*\n/)
  expect((await run('inspect', '--help')).out).toContain('--on-invalid-trace <policy>')
  expect(await run('--version')).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
})
