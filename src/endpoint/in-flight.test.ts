import { expect, test } from 'vitest'
import { InFlight } from './in-flight.ts'

class Call {
  place = -1
  aborted = 0
  readonly #inFlight: InFlight<Call>
  readonly #signal: AbortSignal | undefined

  constructor(inFlight: InFlight<Call>, signal?: AbortSignal) {
    this.#inFlight = inFlight
    this.#signal = signal
    inFlight.add(this, signal)
  }

  end(): void {
    this.#inFlight.remove(this, this.#signal)
  }

  abort(): void {
    this.aborted++
    this.end()
  }
}

test('a signal ends what is under way under it and nothing else', () => {
  const inFlight = new InFlight<Call>()
  const [one, other] = [new AbortController(), new AbortController()]
  const calls = Array.from({ length: 5 }, () => new Call(inFlight, one.signal))
  const others = [new Call(inFlight, other.signal), new Call(inFlight)]
  for (const index of [0, 3]) calls[index]?.end()
  one.abort()
  expect(calls.map((call) => call.aborted)).toEqual([0, 1, 1, 0, 1])
  expect(others.map((call) => call.aborted)).toEqual([0, 0])
  inFlight.abortAll()
  expect(others.map((call) => call.aborted)).toEqual([1, 1])
})

test('whatever comes and goes, each that is left is ended once', () => {
  const inFlight = new InFlight<Call>()
  const { signal } = new AbortController()
  const calls = Array.from({ length: 100 }, (_, index) => new Call(inFlight, index % 2 === 0 ? signal : undefined))
  const ended = calls.filter((_, index) => (index * 7) % 3 === 0)
  for (const call of ended) call.end()
  inFlight.abortAll()
  expect(calls.map((call) => call.aborted)).toEqual(calls.map((call) => (ended.includes(call) ? 0 : 1)))
})

test('a signal has one listener while something is under way, and none after', () => {
  const inFlight = new InFlight<Call>()
  const { signal } = new AbortController()
  let listeners = 0
  const { addEventListener, removeEventListener } = signal
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners++
    addEventListener.apply(signal, args)
  }
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners--
    removeEventListener.apply(signal, args)
  }
  const calls = Array.from({ length: 20 }, () => new Call(inFlight, signal))
  expect(listeners).toBe(1)
  for (const call of calls) call.end()
  expect(listeners).toBe(0)
})
