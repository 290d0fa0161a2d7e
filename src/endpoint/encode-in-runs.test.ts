import { expect, test } from 'vitest'
import { encodeInRuns, withoutFirstComma } from './encode-in-runs.ts'

interface Said {
  readonly text: string
  readonly shared?: Buffer
}

const said = (text: string, shared?: Buffer): Said => ({ text, ...(shared !== undefined && { shared }) })
const awkward = ['a', 'é"\n', '', '𝄞𝄞', '\ud83d', '\ude00', 'z'.repeat(5_000)]

function encoder() {
  const encoded: string[] = []
  const piecesOf = encodeInRuns(({ text, shared }: Said) => {
    encoded.push(text)
    return [text, shared]
  })
  return { encoded, piecesOf }
}

const textOf = (pieces: readonly Buffer[]) => Buffer.concat(pieces).toString()
/** Each text by itself: halves of pairs that meet are no pair. */
const plain = (all: readonly Said[]) => all.map(({ text, shared }) => `${Buffer.from(text)}${shared ?? ''}`).join('')

test('lists in any order hold what is in them, and each object is encoded once', () => {
  const { encoded, piecesOf } = encoder()
  const all = awkward.flatMap((text, index) => [said(text), said(`${text}<`, Buffer.from(`>${index}`))])
  const half = all.filter((_, index) => index % 3 > 0)
  const lists = [half, all, all.toReversed(), [...all, ...all], all.slice(3, 6), [], all]
  for (const list of lists) expect(textOf(piecesOf(list))).toBe(plain(list))
  expect(encoded.toSorted()).toEqual(all.map(({ text }) => text).toSorted())
})

test('a history that grows has one piece for what each list has added', () => {
  const { piecesOf } = encoder()
  const all = Array.from({ length: 12 }, (_, index) => said(`message ${index}`))
  for (let length = 3; length <= 12; length += 3) expect(piecesOf(all.slice(0, length))).toHaveLength(length / 3)
  const earlier = piecesOf(all.slice(0, 6))
  expect(piecesOf(all.slice(0, 7)).slice(0, 2)).toEqual(earlier)
  expect(piecesOf(all).every((piece, index) => piece === piecesOf(all)[index])).toBe(true)
})

test('where another object has taken the place of one, what is around it is not encoded anew', () => {
  const { encoded, piecesOf } = encoder()
  const all = Array.from({ length: 9 }, (_, index) => said(`message ${index}`))
  piecesOf(all)
  const spliced = all.with(4, said('another'))
  const pieces = piecesOf(spliced)
  expect(pieces.map(String)).toEqual([plain(all.slice(0, 4)), 'another', plain(all.slice(5))])
  expect(encoded).toHaveLength(10)
})

test('bytes that objects share stay where they are', () => {
  const { piecesOf } = encoder()
  const shared = Buffer.from('shared')
  const pieces = piecesOf([said('a', shared), said('b', shared), said('c')])
  expect(pieces.map(String)).toEqual(['a', 'shared', 'b', 'shared', 'c'])
  expect(pieces[1]).toBe(shared)
  expect(pieces[3]).toBe(shared)
})

test('a list is completed only when something in it is new, and what it was completed to is what goes out', () => {
  const asked: (readonly Said[])[] = []
  const completed = new Map<Said, Said>()
  const piecesOf = encodeInRuns(({ text }: Said) => [text], {
    complete: (all, fresh) => {
      asked.push(fresh)
      return all.map((one) => completed.get(one) ?? one)
    },
  })
  const [a, b, nameless, c] = [said('a'), said('b'), said('?'), said('c')]
  completed.set(nameless, said('named'))
  expect(textOf(piecesOf([a, b]))).toBe('ab')
  expect(textOf(piecesOf([a, b]))).toBe('ab')
  expect(asked).toEqual([[a, b]])
  for (let round = 0; round < 2; round++) expect(textOf(piecesOf([a, nameless, b, c]))).toBe('anamedbc')
  expect(asked.slice(1)).toEqual([[nameless, c], [nameless]])
})

test('commas go before what has a text, and stay with it', () => {
  const encodeEach = ({ text, shared }: Said) => [text, shared] as const
  const piecesOf = encodeInRuns(encodeEach, { commas: true })
  const all = [said('"é"'), said(''), said('"head', Buffer.from('tail"')), said('1,2'), said('')]
  expect(textOf(piecesOf(all))).toBe(',"é","headtail",1,2')
  expect(textOf(piecesOf(all.toReversed()))).toBe(',1,2,"headtail","é"')
  expect(textOf(withoutFirstComma(piecesOf(all)))).toBe('"é","headtail",1,2')
  expect(piecesOf([said('')])).toEqual([])
})
