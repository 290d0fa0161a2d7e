import { expect } from 'vitest'
import type { Warning } from '../../base/index.ts'
import type { Session } from '../../message/index.ts'
import { readSessions } from '../read-sessions.ts'

/** An agent's two calls, the second continuing the first, as plain facts; each test writes them down in its own format. */
export const AGENT = { id: 'aaaaaaaaaaaaaaaa', name: 'invoke_agent porter', startMs: 1_790_000_000_000, durationMs: 3_000 }

export const TRACE_ID = '0123456789abcdef0123456789abcdef'

const user = (content: string) => ({ role: 'user', parts: [{ type: 'text', content }] })
const assistant = (content: string) => ({ role: 'assistant', parts: [{ type: 'text', content }] })

export interface CallFacts {
  readonly id: string
  readonly name: string
  readonly startMs: number
  readonly durationMs: number
  readonly attributes: Readonly<Record<string, string | number>>
}

export const CALLS: readonly CallFacts[] = [
  {
    id: 'bbbbbbbbbbbbbbbb',
    name: 'chat porter-1',
    startMs: AGENT.startMs + 0.125,
    durationMs: 1_000.5,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'porter-1',
      'gen_ai.input.messages': JSON.stringify([user('Where is my trunk?')]),
      'gen_ai.output.messages': JSON.stringify([assistant('On the train to Zürich.')]),
      'gen_ai.usage.output_tokens': 7,
    },
  },
  {
    id: 'cccccccccccccccc',
    name: 'chat porter-1',
    startMs: AGENT.startMs + 2_000,
    durationMs: 500,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'porter-1',
      'gen_ai.input.messages': JSON.stringify([
        user('Where is my trunk?'),
        assistant('On the train to Zürich.'),
        user('Thanks!'),
      ]),
      'gen_ai.output.messages': JSON.stringify([assistant('My pleasure.')]),
      'gen_ai.usage.output_tokens': 4,
    },
  },
]

export function bytesOf(document: unknown): Uint8Array {
  return Buffer.from(typeof document === 'string' ? document : JSON.stringify(document))
}

export interface Reading {
  readonly sessions: readonly Session[]
  readonly warnings: readonly Warning[]
}

export function readBytes(bytes: Uint8Array, onInvalidTrace: 'fail' | 'skip' = 'fail'): Reading {
  const warnings: Warning[] = []
  const sessions = [
    ...readSessions([{ name: 'porter.trace', bytes }], { onInvalidTrace, warn: (warning) => void warnings.push(warning) }),
  ]
  return { sessions, warnings }
}

export function read(document: unknown): Reading {
  return readBytes(bytesOf(document))
}

/** What the two calls are, whatever they were stored in. */
export function outline(sessions: readonly Session[]) {
  return sessions.map(({ calls }) =>
    calls.map((call) => ({
      id: call.id,
      name: call.name,
      model: call.model,
      startMs: call.startMs,
      endMs: call.endMs,
      messages: call.messages.map(
        ({ role, parts }) => `${role}: ${parts.map((part) => (part.type === 'text' ? part.text : part.type))}`,
      ),
      output: call.output?.parts,
      tokens: call.usage?.outputTokens,
      path: call.spanPath,
    })),
  )
}

/** What every container must make of them. */
export const EXPECTED = [
  [
    {
      id: 'bbbbbbbbbbbbbbbb',
      name: 'chat porter-1',
      model: 'porter-1',
      startMs: 0,
      endMs: expect.closeTo(1_000.5, 2),
      messages: ['user: Where is my trunk?'],
      output: [{ type: 'text', text: 'On the train to Zürich.' }],
      tokens: 7,
      path: ['aaaaaaaaaaaaaaaa'],
    },
    {
      id: 'cccccccccccccccc',
      name: 'chat porter-1',
      model: 'porter-1',
      startMs: expect.closeTo(1_999.875, 2),
      endMs: expect.closeTo(2_499.875, 2),
      messages: ['user: Where is my trunk?', 'assistant: On the train to Zürich.', 'user: Thanks!'],
      output: [{ type: 'text', text: 'My pleasure.' }],
      tokens: 4,
      path: ['aaaaaaaaaaaaaaaa'],
    },
  ],
]
