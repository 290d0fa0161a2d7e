import { closest, distance } from 'fastest-levenshtein'

/** The candidate a person most likely meant, or `undefined` when none is near. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (candidates.length === 0) return undefined
  const folded = word.toLowerCase()
  const byFolded = new Map(candidates.map((candidate) => [candidate.toLowerCase(), candidate]))
  const best = closest(folded, [...byFolded.keys()])
  return distance(folded, best) <= Math.max(2, Math.floor(word.length / 3)) ? byFolded.get(best) : undefined
}
