import type { JsonObject } from '../../message/index.ts'

const TURN = /^(system|developer|user|human|assistant|ai|model|tool|function): /gm

/**
 * Messages that a recorder joined into one text, `role: content` after `role: content`. Content may itself have lines that
 * begin like a turn; there is no telling them apart.
 *
 * @returns `undefined` when the text does not begin with a turn
 */
export function readTranscript(text: string): JsonObject[] | undefined {
  const turns = [...text.matchAll(TURN)]
  if (turns[0]?.index !== 0) return undefined
  return turns.map((turn, k) => {
    const content = text.slice(turn.index + turn[0].length, turns[k + 1]?.index).replace(/\n$/, '')
    // How Python prints that there was no text, but tool calls.
    return { role: turn[1], content: content === 'None' ? null : content }
  })
}
