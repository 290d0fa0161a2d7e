const LARGEST_BLOCK = 128 * 1024

/** A Zstandard frame that stores its content as it is: valid for every reader, and all that a test needs of the format. */
export function zstdFrame(content: Uint8Array): Uint8Array {
  // Magic number; then a descriptor: single segment, content size in 4 bytes.
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0])
  head.writeUInt32LE(content.length, 5)
  const pieces: Uint8Array[] = [head]
  for (let start = 0; start === 0 || start < content.length; start += LARGEST_BLOCK) {
    const block = content.subarray(start, start + LARGEST_BLOCK)
    const last = start + LARGEST_BLOCK >= content.length ? 1 : 0
    const blockHead = Buffer.alloc(3)
    // Whether it is the last; kind 0, raw; its size.
    blockHead.writeUIntLE((block.length << 3) | last, 0, 3)
    pieces.push(blockHead, block)
  }
  return Buffer.concat(pieces)
}
