import type { Message } from '../message/index.ts'

/** How many histories are remembered. Agents that take turns in one file each have one that grows. */
const REMEMBERED = 16

/** A message as recorders write it that keep each apart: the JSON text, or the structure, of its content. */
export interface Turn {
  readonly role: string
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

/** Texts are compared, structures are not looked into. */
function turnsInCommon(known: readonly Turn[], turns: readonly Turn[]): number {
  const differs = turns.findIndex(({ role, content }, k) => role !== known[k]?.role || content !== known[k]?.content)
  return differs === -1 ? turns.length : differs
}
