import { expect, test } from 'vitest'
import { sessionHash } from './session-hash.ts'
import { singleCall } from './workload.fixture.ts'

const message = (text: string) => ({ role: 'user', parts: [{ type: 'text', text }] }) as const

test('follows the content, not the name or the file', () => {
  const renamed = singleCall('y')
  expect(sessionHash(renamed)).toBe(sessionHash(singleCall('x')))
  expect(sessionHash(singleCall('x', [message('a')]))).not.toBe(sessionHash(singleCall('x', [message('b')])))
})

test('follows the order of work: edges and waits', () => {
  const plain = singleCall('x')
  const waiting = { ...plain, nodes: plain.nodes.map((node) => ({ ...node, waitMs: 5 })) }
  expect(sessionHash(waiting)).not.toBe(sessionHash(plain))
})
