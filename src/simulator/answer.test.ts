import { expect, test } from 'vitest'
import { manualClock } from '../base/manual-clock.fixture.ts'
import { Answer } from './answer.ts'
import { chatCompletions } from './chat-response.ts'
import type { Piece } from './generation.ts'
import { RequestLog } from './request-log.ts'
import { TokenSequence } from './tokens.ts'

/** An answer of ten tokens to a client that reads when it is told to. */
function createAnswer(tokensPerChunk = 1) {
  const written: string[] = []
  const body = {
    blocked: false,
    ended: false,
    write: (text: string) => void written.push(text),
    writeChunk: (text: string) => void written.push(text),
    strikeIfDue: () => undefined,
    end(text: string) {
      written.push(text)
      body.ended = true
      body.blocked = true
    },
  }
  let drawn = 0
  function* pieces(): Generator<Piece, undefined> {
    while (++drawn <= 10) yield { kind: 'text', text: `${drawn % 10}...` }
  }
  const answer = new Answer({
    tokens: new TokenSequence(4),
    generation: { tokens: 10, reasoningTokens: 0, finishReason: 'stop', pieces: pieces() },
    format: chatCompletions,
    head: { id: 'x', created: 0, model: 'm', reasoningField: 'reasoning' },
    body,
    stream: true,
    streamUsage: true,
    tokensPerChunk,
    omitted: [],
    entry: new RequestLog(0, 0).open('POST', '/', {}, 0),
    clock: manualClock(),
  })
  return { answer, body, written, drawn: () => drawn }
}

test('while the client does not read nothing is made ready for it; when it reads again it gets all', () => {
  const { answer, body, written, drawn } = createAnswer()
  answer.onToken()
  body.blocked = true
  for (let i = 0; i < 9; i++) answer.onToken()
  expect([drawn(), body.ended]).toEqual([1, false])
  body.blocked = false
  answer.write()
  expect([drawn(), body.ended]).toEqual([10, true])
  expect(written.join('').match(/"content":"\d\.\.\."/g)).toHaveLength(10)
})

test('a client that stops reading at the last token still gets the end', () => {
  const { answer, body, written } = createAnswer()
  for (let i = 0; i < 9; i++) answer.onToken()
  body.blocked = true
  answer.onToken()
  expect(written.join('')).not.toContain('[DONE]')
  body.blocked = false
  answer.write()
  expect(written.join('').match(/\[DONE\]/g)).toHaveLength(1)
})

test('each token is written when it is made', () => {
  const { answer, written } = createAnswer()
  for (let i = 1; i <= 9; i++) {
    answer.onToken()
    // The head, and a chunk for each.
    expect(written).toHaveLength(i + 1)
  }
})

test('a chunk of several tokens is written with its last', () => {
  const { answer, written } = createAnswer(4)
  const counts = Array.from({ length: 10 }, () => {
    answer.onToken()
    return written.length - 1
  })
  // Two whole chunks, then the rest and the end together.
  expect(counts).toEqual([0, 0, 0, 1, 1, 1, 1, 2, 2, 4])
})

test('prompt and answer together are what a later prompt would be', () => {
  const { answer } = createAnswer()
  for (let i = 0; i < 10; i++) answer.onToken()
  const whole = new TokenSequence(4)
  whole.text('1...2...3...4...5...6...7...8...9...0...')
  whole.marker('end')
  expect(answer.blocksWithOutput()).toEqual(whole.blockHashes)
})
