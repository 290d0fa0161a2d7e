/** More than a socket is read at once: such chunks were put together from elsewhere. */
const LONGEST_RUN_BYTES = 256 * 1024
/** The length of a chunk, and line ends. More lies there where two reads did not follow one another. */
const MOST_BYTES_BETWEEN = 64

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
  if (first === undefined || last === undefined) return undefined
  if (first === last) return first.length > LONGEST_RUN_BYTES ? undefined : first.toString('latin1')
  if (first.buffer !== last.buffer) return undefined
  const length = last.byteOffset + last.length - first.byteOffset
  let most = 0
  for (const chunk of chunks) most += chunk.length + MOST_BYTES_BETWEEN
  if (length < first.length || length > most || length > LONGEST_RUN_BYTES) return undefined
  return Buffer.from(first.buffer, first.byteOffset, length).toString('latin1')
}
