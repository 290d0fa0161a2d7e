import type { Message, Session } from '../message/index.ts'
import { assistant, type CallSketch, sessionOf, system, toolCall, toolResult, user } from './session.fixture.ts'

export type Random = () => number

/** A small seeded generator (mulberry32): the same sessions on every run. */
export function seeded(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const left = [...items]
  const out: Item[] = []
  while (left.length > 0) out.push(...left.splice(Math.floor(random() * left.length), 1))
  return out
}

/**
 * A workflow of agents that answer, call tools, fail and try again, delegate to sub-agents one after the other or in
 * parallel, and often say the same things. Span paths, tool-call ids and full milliseconds come and go.
 */
export function randomSession(random: Random): Session {
  const sketches: Record<string, CallSketch> = {}
  const style = {
    spans: random() < 0.6,
    ids: random() < 0.6,
    wholeMs: random() < 0.5,
    fewWords: random() < 0.5,
    timeOfDay: random() < 0.3,
  }
  let calls = 0
  let spans = 0

  const chance = (share: number) => random() < share
  const between = (low: number, high: number) => low + random() * (high - low)
  const newSpan = (path: readonly string[]) => [...path, `span ${spans++}`]
  const sentence = () => (style.fewWords || chance(0.2) ? ['Done.', 'It is all in place.', 'No.'] : [`${long()} ${calls}`])
  const long = () => 'The report is complete: every table has been checked against the archive, line by line.'
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)]

  function record(
    startMs: number,
    input: readonly Message[],
    out: Message | null,
    path: readonly string[],
    error?: string,
  ): number {
    const endMs = startMs + (chance(0.05) ? 0 : between(0.2, 30))
    const start = style.wholeMs ? Math.floor(startMs) : startMs
    sketches[`call ${calls++}`] = {
      at: [start, Math.max(start, endMs)],
      in: style.timeOfDay ? [system(`It is ${start}.`), ...input] : [...input],
      out,
      path: style.spans ? newSpan(path) : [],
      ...(error === undefined ? {} : { error }),
    }
    return endMs
  }

  /** @returns when it ended, and its last words */
  function agent(startMs: number, task: string, path: readonly string[], depth: number): { endMs: number; answer: string } {
    const history: Message[] = [...(chance(0.7) ? [system(`Agent of depth ${depth}`)] : []), user(task)]
    let now = startMs
    for (let turn = Math.floor(between(1, 4)); turn > 1; turn--) {
      if (chance(0.1)) now = record(now, history, null, path, 'overloaded') + between(0, 3)
      const id = style.ids ? `call_${calls}` : ''
      const said = assistant(chance(0.3) ? long() : '', toolCall('work', JSON.stringify({ task: `Subtask ${calls}` }), id))
      now = record(now, history, said, path) + between(0, 2)
      const { endMs, answer } = work(now, path, depth)
      const altered = assistant('…', toolCall('work', '{…}', id))
      history.push(chance(0.8) ? said : altered, toolResult(chance(0.5) ? answer : JSON.stringify({ answer }), id))
      now = endMs + between(0, 2)
    }
    const answer = pick(sentence()) ?? ''
    return { endMs: record(now, history, assistant(answer), path), answer }
  }

  function work(startMs: number, path: readonly string[], depth: number): { endMs: number; answer: string } {
    if (depth >= 3 || calls > 60 || chance(0.3)) return { endMs: startMs + between(0, 10), answer: `Row ${calls}` }
    const parallel = chance(0.5)
    let endMs = startMs
    let answer = ''
    for (let branch = Math.floor(between(1, 4)); branch > 0; branch--) {
      const done = agent(parallel ? startMs + between(0, 5) : endMs, `Subtask ${calls - 1}`, newSpan(path), depth + 1)
      endMs = Math.max(endMs, done.endMs)
      answer += `${done.answer}\n`
    }
    return { endMs, answer }
  }

  let now = 0
  for (let conversation = Math.floor(between(1, 5)); conversation > 0; conversation--) {
    const done = agent(now, `Task ${conversation}`, newSpan([]), 0)
    now = chance(0.5) ? done.endMs + between(0, 5) : now + between(0, 40)
  }
  return sessionOf(sketches)
}
