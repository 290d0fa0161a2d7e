/** A dictionary of more entries than this makes no sense. */
const WIDEST_VALUE_BITS = 24

/**
 * Decodes small numbers that are stored as runs of one value mixed with bit-packed stretches, as many as `output` has room
 * for. Whatever the runs claim, nothing is written beyond it.
 */
export function readRuns(bytes: Uint8Array, width: number, output: Uint8Array | Int32Array): void {
  if (width === 0) return
  if (width > WIDEST_VALUE_BITS) throw new Error(`it packs numbers into ${width} bits`)
  const mask = 2 ** width - 1
  let offset = 0
  let filled = 0
  while (filled < output.length) {
    let header = 0
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[offset++]
      if (byte === undefined || shift > 28) throw new Error('a page of it ends too early')
      header += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) break
    }
    const isPacked = header % 2 === 1
    const count = Math.min(Math.floor(header / 2) * (isPacked ? 8 : 1), output.length - filled)
    if (isPacked) {
      unpack(bytes, offset, width, mask, output, filled, count)
      offset += Math.floor(header / 2) * width
    } else {
      let value = 0
      for (let byte = 0; byte < Math.ceil(width / 8); byte++) value |= (bytes[offset++] ?? 0) << (8 * byte)
      output.fill(value & mask, filled, filled + count)
    }
    filled += count
  }
}

/** The last stretch may be cut short: what is missing counts as zero. */
function unpack(
  bytes: Uint8Array,
  start: number,
  width: number,
  mask: number,
  output: Uint8Array | Int32Array,
  begin: number,
  count: number,
): void {
  let offset = start
  let held = 0
  let heldBits = 0
  for (let index = begin; index < begin + count; index++) {
    while (heldBits < width) {
      held |= (bytes[offset++] ?? 0) << heldBits
      heldBits += 8
    }
    output[index] = held & mask
    held >>>= width
    heldBits -= width
  }
}
