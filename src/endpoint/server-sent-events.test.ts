import { describe, expect, test } from 'vitest'
import { ServerSentEventParser } from './server-sent-events.ts'

type Event = readonly [data: string, name: string]

function parse(pieces: readonly Buffer[], maxEventBytes?: number): Event[] {
  const events: Event[] = []
  const parser = new ServerSentEventParser((data, name) => events.push([data, name]), undefined, maxEventBytes)
  for (const piece of pieces) parser.push([piece])
  parser.end()
  return events
}

/** Every way to cut the bytes in two, and all into single bytes. */
function* cuts(bytes: Buffer): Generator<Buffer[]> {
  for (let at = 0; at <= bytes.length; at++) yield [bytes.subarray(0, at), bytes.subarray(at)]
  yield Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))
}

const cases: readonly { name: string; text: string; events: readonly Event[] }[] = [
  {
    name: 'LF',
    text: 'data: a\n\ndata: b\n\n',
    events: [
      ['a', ''],
      ['b', ''],
    ],
  },
  {
    name: 'CRLF',
    text: 'data: a\r\n\r\ndata: b\r\n\r\n',
    events: [
      ['a', ''],
      ['b', ''],
    ],
  },
  {
    name: 'CR',
    text: 'data: a\r\rdata: b\r\r',
    events: [
      ['a', ''],
      ['b', ''],
    ],
  },
  {
    name: 'line ends mixed',
    text: 'data: a\r\n\ndata: b\n\rdata: c\r\r\ndata: d\n\n',
    events: [
      ['a', ''],
      ['b', ''],
      ['c', ''],
      ['d', ''],
    ],
  },
  {
    name: 'no space after the colon',
    text: 'data:a\n\ndata: b\n\n',
    events: [
      ['a', ''],
      ['b', ''],
    ],
  },
  { name: 'only one space is taken off', text: 'data:  a \n\n', events: [[' a ', '']] },
  { name: 'several data lines', text: 'data: a\ndata:b\ndata\ndata: c\n\n', events: [['a\nb\n\nc', '']] },
  { name: 'comments and pings', text: ': ping\n\n:\ndata: a\n: in between\ndata: b\n\n:\n\n', events: [['a\nb', '']] },
  {
    name: 'a byte order mark, once',
    text: '\uFEFFdata: a\n\ndata: \uFEFFb\n\n',
    events: [
      ['a', ''],
      ['\uFEFFb', ''],
    ],
  },
  {
    name: 'event names',
    text: 'event: message_start\ndata: a\n\ndata: b\n\nevent:ping\n\ndata: c\nevent: late\n\n',
    events: [
      ['a', 'message_start'],
      ['b', ''],
      ['c', 'late'],
    ],
  },
  { name: 'id and retry', text: 'id: 1\nretry: 5\ndata: a\n\n', events: [['a', '']] },
  {
    name: 'an end without its blank line',
    text: 'data: a\n\ndata: b\n',
    events: [
      ['a', ''],
      ['b', ''],
    ],
  },
  {
    name: 'an end in the middle of a line',
    text: 'data: a\n\ndata: b',
    events: [
      ['a', ''],
      ['b', ''],
    ],
  },
  {
    name: 'an end after CR',
    text: 'data: a\r\n\r\ndata: b\r',
    events: [
      ['a', ''],
      ['b', ''],
    ],
  },
  {
    name: 'text of every length in UTF-8',
    text: 'data: é€𝄞\n\ndata: 👩‍💻\n\n',
    events: [
      ['é€𝄞', ''],
      ['👩‍💻', ''],
    ],
  },
  { name: 'separators of other alphabets are text', text: 'data: a\u2028b\u0085c\n\n', events: [['a\u2028b\u0085c', '']] },
  { name: 'fields that only look alike', text: 'dat: x\ndatas: y\ndatax\nDATA: z\n data: w\n\ndata: a\n\n', events: [['a', '']] },
  {
    name: 'empty data',
    text: 'data:\n\ndata\n\ndata: \n\n',
    events: [
      ['', ''],
      ['', ''],
      ['', ''],
    ],
  },
  { name: 'nothing', text: '', events: [] },
  { name: 'blank lines alone', text: '\n\r\n\r\r\n\n', events: [] },
]

describe('events come out whole wherever the bytes are cut', () => {
  test.each(cases)('$name', ({ text, events }) => {
    for (const pieces of cuts(Buffer.from(text))) expect(parse(pieces), pieces.map(String).join('|')).toEqual(events)
  })
})

test('bytes that are no UTF-8 become replacement characters and harm nothing after them', () => {
  const bytes = Buffer.concat([Buffer.from('data: a'), Buffer.from([0xff, 0xc3]), Buffer.from('\n\ndata: b\n\n')])
  for (const pieces of cuts(bytes))
    expect(parse(pieces)).toEqual([
      ['a\uFFFD\uFFFD', ''],
      ['b', ''],
    ])
})

test('the first line that is no field is kept to be shown', () => {
  const parser = new ServerSentEventParser(() => {})
  parser.push([Buffer.from('data: a\n\nupstream connect error\nanother\n')])
  expect(parser.strayLine).toBe('upstream connect error')
})

test.each([
  { name: 'one line', text: `data: ${'x'.repeat(200)}` },
  { name: 'many lines of one event', text: 'data: xxxxxxxx\n'.repeat(20) },
])('an event without end is given up at the limit: $name', ({ text }) => {
  const bytes = Buffer.from(text)
  const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, index) => bytes.subarray(index * 7, index * 7 + 7))
  expect(() => parse(pieces, 100)).toThrow(RangeError)
  expect(parse(pieces, 1_000)).toHaveLength(1)
})

test('the work on an event that comes byte by byte, or on many in one piece, grows with the bytes alone', () => {
  const large = Buffer.from(`data: ${'x'.repeat(1 << 18)}\n\n`)
  expect(parse(Array.from(large, (_, at) => large.subarray(at, at + 1)))[0]?.[0]).toHaveLength(1 << 18)
  for (const lineEnd of ['\n', '\r', '\r\n']) {
    const many = Buffer.from(`data: x${lineEnd}${lineEnd}`.repeat(100_000))
    expect(parse([many])).toHaveLength(100_000)
  }
})
