import type { Dispatcher } from 'undici'
import { expect, test } from 'vitest'
import { manualClock } from '../base/manual-clock.fixture.ts'
import { AfterReads } from './after-reads.ts'
import { contentChunk, doneEvent, event, roleEvent, stopEvent } from './chat-stream.fixture.ts'
import { request, seen } from './endpoint.fixture.ts'
import { openAiChat } from './openai-chat/index.ts'
import { PendingExchange } from './pending-exchange.ts'
import { resolveTarget } from './resolve-target.ts'

const limits = { connectMs: 10, firstTokenMs: 100, idleMs: 50, callMs: 1_000 }
const controller = {} as Dispatcher.DispatchController

/** Reads are looked at in the next turn of the event loop. */
const seenByNow = () => new Promise((resolve) => setImmediate(resolve))

/** An exchange whose connection is driven by hand. */
function exchange() {
  const clock = manualClock(0)
  const ends: string[] = []
  const channel = { dispatch: () => {}, release: () => ends.push('release'), destroy: () => ends.push('destroy') }
  const api = openAiChat(resolveTarget({ kind: 'vllm', url: 'http://h:1' }, {}), (tools) => tools)
  const context = {
    clock,
    afterReads: new AfterReads(),
    host: 'h:1',
    facts: { url: 'http://h:1/v1/chat/completions', basePath: '/v1', sentKey: false },
    secrets: [],
    onSettled: () => ends.push('settled'),
  }
  const pending = new PendingExchange(context, request({ timeouts: limits }), channel, api.openResponse(request()), clock.now())
  return {
    clock,
    ends,
    pending,
    result: pending.result,
    begin() {
      pending.onRequestStart()
      pending.onResponseStart(controller, 200, {})
    },
    read: (...events: string[]) => pending.onResponseData(controller, Buffer.from(events.join(''))),
    end: () => pending.onResponseEnd(),
  }
}

test('what one read brings shares its time, however late it is looked at', async () => {
  const { clock, begin, read, end, result, ends } = exchange()
  clock.advance(2)
  begin()
  clock.advance(3)
  read(roleEvent, event(contentChunk('a')))
  clock.advance(1)
  read(event(contentChunk('b')))
  await seenByNow()
  clock.advance(3)
  read(event(contentChunk('c')).slice(0, 10))
  await seenByNow()
  clock.advance(5)
  read(event(contentChunk('c')).slice(10), stopEvent)
  read(doneEvent)
  end()
  clock.advance(20)
  const outcome = await result
  expect(seen(outcome)).toBe('ok: abc')
  expect([outcome.queuedMs, outcome.sentMs, outcome.outputTimesMs, outcome.endMs]).toEqual([0, 2, [5, 5, 14], 14])
  expect(ends).toEqual(['settled', 'release'])
  expect(clock.pending).toBe(0)
})

test('headers, comments and an empty role chunk are no output', async () => {
  const { clock, begin, read, result } = exchange()
  begin()
  for (let ms = 0; ms < 100; ms += 20) {
    read(': ping\n\n', roleEvent)
    await seenByNow()
    clock.advance(20)
  }
  expect(seen(await result)).toMatch(/^first_token_timeout: .* the server answered, but sent no token/)
})

test('bytes that are here when a limit ends count, though nothing has looked at them', async () => {
  const { clock, begin, read, end, result } = exchange()
  begin()
  clock.advance(99)
  read(event(contentChunk('a')))
  clock.advance(1)
  read(stopEvent)
  end()
  expect(seen(await result)).toBe('ok: a')
})

test('a limit that has passed is put off when bytes come in the same turn', async () => {
  const { clock, begin, read, end, result } = exchange()
  begin()
  read(event(contentChunk('a')))
  await seenByNow()
  clock.advance(50)
  read(event(contentChunk('b')))
  await seenByNow()
  read(stopEvent)
  end()
  expect(seen(await result)).toBe('ok: ab')
})

test('what the connection reports after the exchange is over changes nothing', async () => {
  const { clock, begin, read, end, result, pending, ends } = exchange()
  begin()
  pending.abort()
  read(event(contentChunk('a')))
  end()
  pending.onResponseError(controller, new Error('destroyed'))
  pending.abort()
  clock.advance(5_000)
  expect(seen(await result)).toBe('aborted: the request was aborted')
  expect(ends).toEqual(['settled', 'destroy'])
})

test('an answer that has come whole before an abort is kept', async () => {
  const { begin, read, end, result, pending, ends } = exchange()
  begin()
  read(event(contentChunk('a')), stopEvent)
  end()
  pending.abort()
  expect(seen(await result)).toBe('ok: a')
  expect(ends).toEqual(['settled', 'release'])
})
