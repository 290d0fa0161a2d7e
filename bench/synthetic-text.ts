/** Text that is like what agents read and write, from a seed: the same seed gives the same bytes. */

const WORDS =
  'the a of to in for with on that this is are module file test build error stack value index parser token stream queue worker result option path name line change check return'.split(
    ' ',
  )

export function prose(random: () => number, length: number): string {
  let text = ''
  while (text.length < length) text += `${WORDS[Math.floor(random() * WORDS.length)]}${random() < 0.08 ? '.\n' : ' '}`
  return text
}

/** Quotes, newlines and indentation cost twice: they are escaped once in the message and once more in the file. */
export function sourceText(random: () => number, length: number): string {
  // One output in ten has a character beyond Latin-1, as test runners print: the engine then stores it at two bytes a unit.
  let text = random() < 0.1 ? '✓ passed\n' : ''
  while (text.length < length) {
    const [a, b, c] = [0, 0, 0].map(() => WORDS[Math.floor(random() * WORDS.length)])
    text += `  const ${a}${Math.floor(random() * 1e4)} = await ${b}.${c}("${a}/${b}", { ${c}: '${b}' })\n`
  }
  return text
}

/** A small generator of random numbers in [0, 1). */
export function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
