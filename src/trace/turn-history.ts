import type { Message } from '../message/index.ts'

/** How many histories are remembered. Agents that take turns in one file each have one that grows. */
const REMEMBERED = 16

/** A message as recorders write it that keep each apart. */
export interface Turn {
  readonly role: string
  /** JSON text, or what it was recorded as: a text, a structure. */
  readonly content: unknown
}

interface Known {
  readonly turns: readonly Turn[]
  /** Of each turn, since one may hold several tool results. */
  readonly messages: readonly (readonly Message[])[]
}

/**
 * Reads histories whose messages are recorded one by one. Each call of an agent repeats those of the one before: as many turns
 * as two histories have in common at their beginning are taken over.
 *
 * It remembers the turns: let go of it when the file has been read.
 */
export class TurnHistory {
  /** Latest first. */
  #known: Known[] = []

  read(turns: readonly Turn[], read: (turn: Turn) => readonly Message[]): readonly Message[] {
    let common = 0
    let before: Known | undefined
    for (const known of this.#known) {
      const length = turnsInCommon(known.turns, turns)
      if (length > common) [common, before] = [length, known]
      // Good enough: in a conversation, the call before is the longest.
      if (common * 2 > turns.length) break
    }
    const messages = [...(before?.messages.slice(0, common) ?? []), ...turns.slice(common).map(read)]
    this.#known = [{ turns, messages }, ...this.#known.slice(0, REMEMBERED - 1)]
    return messages.flat()
  }
}

function turnsInCommon(known: readonly Turn[], turns: readonly Turn[]): number {
  const differs = turns.findIndex(({ role, content }, k) => {
    const other = known[k]
    return other === undefined || role !== other.role || !isSame(content, other.content, 0)
  })
  return differs === -1 ? turns.length : differs
}

/** Structures deeper than this are not looked into, and read again. */
const DEEPEST = 8

function isSame(a: unknown, b: unknown, depth: number): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || depth > DEEPEST) return false
  if (Array.isArray(a)) return Array.isArray(b) && isSameList(a, b, depth + 1)
  if (a instanceof Map) return b instanceof Map && isSameMap(a, b, depth + 1)
  const [ofA, ofB] = [Object.entries(a), Object.entries(b)]
  return !Array.isArray(b) && !(b instanceof Map) && isSameList(ofA, ofB, depth + 1)
}

function isSameMap(a: ReadonlyMap<unknown, unknown>, b: ReadonlyMap<unknown, unknown>, depth: number): boolean {
  if (a.size !== b.size) return false
  for (const [key, value] of a) if (!b.has(key) || !isSame(value, b.get(key), depth)) return false
  return true
}

function isSameList(a: readonly unknown[], b: readonly unknown[], depth: number): boolean {
  if (a.length !== b.length) return false
  for (let k = 0; k < a.length; k++) if (!isSame(a[k], b[k], depth)) return false
  return true
}
