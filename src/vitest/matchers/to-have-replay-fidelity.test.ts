import { expect, test } from 'vitest'
import { requestRecord } from '../../metrics/run-record.fixture.ts'
import '../matchers.ts'
import { madeRun, messageOf } from '../run.fixture.ts'

const strayed = madeRun({
  succeeded: [410],
  differs: {
    requests: [
      requestRecord({
        session: 'good-1',
        recordedInputTokens: 80,
        toolCalls: { matched: 6, missing: 1, extra: 0, renamed: 1, malformed: 0 },
      }),
      requestRecord({
        session: 'good-1',
        call: 'c2',
        continues: 'c1',
        cachedInputTokens: 50,
        outputTokens: 10,
        splices: { live: 9, diverged: 1, by: { context: { live: 8, diverged: 0 }, 'tool-call-id': { live: 1, diverged: 1 } } },
      }),
    ],
  },
})

test('holds at its floor and not above', () => {
  expect(strayed).toHaveReplayFidelity(0.75)
  expect(strayed).not.toHaveReplayFidelity(0.76)
  expect(madeRun({ succeeded: [410, 410] })).toHaveReplayFidelity(1)
})

test('says how true each part was, and what strayed', () => {
  expect(messageOf(() => expect(strayed).toHaveReplayFidelity(0.95))).toMatchInlineSnapshot(`
    "expect(run).toHaveReplayFidelity(0.95)

    Scenario: support agents
    Expected: replay fidelity ≥ 95%
    Received: replay fidelity 75%, 20 points short

    Measured over 1 session (1 succeeded) and 2 requests.

    Parts, the weakest first
      75% of the tool calls were made as recorded: 1 missing, 1 renamed
      90% of the places for live outputs took one; the recorded turn stood in for
      1 of 2 by tool-call id
      90.9% likeness of the output lengths
      100% of the recorded calls were sent
      100% likeness of the prompt lengths (125% of the recorded tokens)
      100% punctuality of the client
      (not counted) 50% of the prefixes that a cache could know were in the
      server's"
  `)
})

test('.not fails when the replay was true', () => {
  expect(messageOf(() => expect(madeRun({ succeeded: [410] })).not.toHaveReplayFidelity(0.9))).toMatchInlineSnapshot(`
    "expect(run).not.toHaveReplayFidelity(0.9)

    Scenario: support agents
    Expected: not replay fidelity ≥ 90%
    Received: replay fidelity 100%, 10 points to spare

    Measured over 1 session (1 succeeded) and 1 request."
  `)
})

test('no verdict where no session ran, under `.not` too', () => {
  expect(messageOf(() => expect(madeRun({})).not.toHaveReplayFidelity(0.9))).toContain('not gradable: no session ran')
})

test('works as an asymmetric matcher, and for a part of a run', () => {
  expect({ run: strayed }).toEqual({ run: expect.not.toHaveReplayFidelity(0.9) })
  expect(strayed.where({ label: 'chat' })).toHaveReplayFidelity(0.75)
})

test.each([[0], [95], ['all'], [undefined]])('%j is refused', (rate) => {
  expect(() => expect(strayed).toHaveReplayFidelity(rate as number)).toThrow('toHaveReplayFidelity takes a rate above 0, up to 1')
})
