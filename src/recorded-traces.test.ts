import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { traceFiles } from '../fixtures/stories/index.ts'
import type { Warning } from './base/index.ts'
import { buildGraph, type GraphNode } from './graph/index.ts'
import { readSessions } from './trace/index.ts'

/** The quickstart has its own copies, so that it can be copied out of the repository. */
const COPIED = ['support-agent.json', 'coding-agent.otlp.json', 'research-team.otlp.json']

// Rewrite the files with `npx vitest run src/recorded-traces.test.ts -u` after a story has changed.
test.each(traceFiles())('$name holds what its story tells', async ({ name, json, expected }) => {
  await expect(json).toMatchFileSnapshot(`../fixtures/traces/${name}`)
  if (COPIED.includes(name)) await expect(json).toMatchFileSnapshot(`../examples/quickstart/traces/${name}`)
  await expect(`${JSON.stringify(expected, null, 1)}\n`).toMatchFileSnapshot(
    `../fixtures/expected-graphs/${name.replace(/(\.otlp)?\.json$/, '.expected.json')}`,
  )
})

test.each(traceFiles())('the graph of $name is the one its story tells', ({ name, expected }) => {
  const warnings: Warning[] = []
  const bytes = readFileSync(new URL(`../fixtures/traces/${name}`, import.meta.url))
  const options = { onInvalidTrace: 'fail' as const, warn: (warning: Warning) => void warnings.push(warning) }
  const sessions = [...readSessions([{ name, bytes }], options)]
  const found = sessions.flatMap((session) => buildGraph(session).nodes.map(describeNode))

  expect(sessions).toHaveLength(expected.sessions)
  expect(found).toEqual(expected.calls.map((call) => ({ ...call, after: call.after.toSorted() })))
  expect(warnings).toEqual([])
})

function describeNode({ call, edges, waitMs, splices }: GraphNode) {
  return {
    id: call.id,
    after: edges.map((edge) => edge.from).toSorted(),
    waitMs: Math.round(waitMs),
    outputs: Object.fromEntries(splices.map((splice) => [String(splice.message), splice.from])),
    messages: call.messages.length,
    roles: call.messages.map((message) => message.role),
    tools: call.tools.length,
    toolCalls: (call.output?.parts ?? []).flatMap((part) => (part.type === 'tool_call' ? [part.name] : [])),
  }
}
