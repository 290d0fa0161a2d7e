import { expect, test } from 'vitest'
import { traceFiles } from '../../fixtures/stories/index.ts'
import { readSessions, readSessionsAsync, type TraceDocument } from './read-sessions.ts'

const options = { onInvalidTrace: 'fail' as const, warn: () => {} }

async function* documents(): AsyncGenerator<TraceDocument> {
  for (const { name, json } of traceFiles()) yield { name, document: JSON.parse(json) }
}

test('documents that arrive one by one give the sessions that their files give', async () => {
  const files = traceFiles().map(({ name, json }) => ({ name, bytes: Buffer.from(json) }))
  const arrived = []
  for await (const session of readSessionsAsync(documents(), options)) arrived.push(session)
  expect(arrived).toEqual([...readSessions(files, options)])
})

test('what is left of the documents is let go of when the reader has enough', async () => {
  let closed = false
  async function* watched(): AsyncGenerator<TraceDocument> {
    try {
      yield* documents()
    } finally {
      closed = true
    }
  }
  for await (const _ of readSessionsAsync(watched(), options)) break
  expect(closed).toBe(true)
})
