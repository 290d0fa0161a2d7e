/** Longer than what stands between two chunks of a body: the length of the next one and two line ends. */
const LONGEST_FRAME = 64

/**
 * The bytes of one read, each as the character of its number, in one string that is made at once: the connection hands them
 * on in chunks, which lie in one piece of memory with little more than their lengths between them. A character's place is the
 * distance of its byte from the first chunk's.
 *
 * @returns `undefined` when the chunks do not lie so
 */
export function latin1OfRun(chunks: readonly Buffer[]): string | undefined {
  const first = chunks[0]
  const last = chunks[chunks.length - 1]
  // Reads follow one another: when the first and the last chunk are of one, so is what lies between.
  if (first === undefined || last === undefined || first.buffer !== last.buffer) return undefined
  let end = first.byteOffset
  for (const chunk of chunks) {
    const gap = chunk.byteOffset - end
    if (gap < 0 || gap > LONGEST_FRAME) return undefined
    end = chunk.byteOffset + chunk.length
  }
  return Buffer.from(first.buffer, first.byteOffset, end - first.byteOffset).toString('latin1')
}
