import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { JOURNAL_FILE } from '../journal/index.ts'
import { requestRecord, runRecord, sessionRecord } from '../metrics/run-record.fixture.ts'
import { runCli } from './run-cli.ts'

async function report(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let out = ''
  let err = ''
  const code = await runCli(['report', ...args], {
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text) },
  })
  return { code, out, err }
}

/** The journal of a run that was killed, after one session. */
function journalOf(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'report-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { version, startedAt, workload, target, stages } = runRecord()
  const lines = [
    { run: { version, name, startedAt, workload, target, stages } },
    { session: sessionRecord({ id: 'a', recorded: 'a' }), requests: [requestRecord({ session: 'a' })] },
  ]
  writeFileSync(join(folder, JOURNAL_FILE), `${lines.map((line) => JSON.stringify(line)).join('\n')}\n{"session":{"id":"b`)
  return folder
}

test('prints the table and what is to be said of the run, in 80 columns', async () => {
  const { code, out, err } = await report(journalOf('nightly'))
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(/^nightly {2}/)
  expect(out).toContain('\n! The journal ends before the run did.')
  for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
})

test('prints the whole record for programs', async () => {
  const { out } = await report(journalOf('nightly'), '--json')
  expect(JSON.parse(out)).toMatchObject({ name: 'nightly', sessions: [{ id: 'a' }], requests: [{ session: 'a' }] })
})

test('names what is no run, and the default once', async () => {
  expect(await report('/nowhere')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^\/nowhere: there is nothing\. Give the folder/),
  })
  expect((await report('--help')).out.match(/default/g)).toHaveLength(1)
})
