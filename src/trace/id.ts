/**
 * An id as it is compared and printed: hex in lower case, without `0x`. All zeros mean "none". Anything else is a name that
 * somebody gave on purpose and stays as it is.
 */
export function readId(value: unknown): string {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  if (typeof value !== 'string') return ''
  const hex = /^(?:0x)?([0-9a-f]+)$/i.exec(value)?.[1]
  // Short digits are names, e.g. `1` and `0`; a hex id is 8 or 16 bytes long.
  if (hex === undefined || (hex.length < 16 && !/^0x/i.test(value))) return value
  return /^0+$/.test(hex) ? '' : hex.toLowerCase()
}

/** The same for a format that holds bytes, and may print them as hex or base64. */
export function readByteId(value: unknown, bytes: 8 | 16): string {
  if (typeof value === 'object' && value !== null) return readId(hexOf(value))
  if (typeof value !== 'string' || value.length === bytes * 2) return readId(value)
  // Base64 of 8 and 16 bytes is 12 and 24 characters long, or 11 and 22 without padding.
  const unpadded = value.replace(/=+$/, '')
  if (unpadded.length === Math.ceil((bytes * 4) / 3) && /^[\w+/-]+$/.test(unpadded)) {
    return readId(Buffer.from(unpadded, 'base64').toString('hex'))
  }
  return readId(value)
}

/** `{ type: 'Buffer', data: [...] }`: what became of bytes that went through `JSON.stringify` undecoded. */
function hexOf(value: object): string {
  const { data } = value as { data?: unknown }
  return Array.isArray(data) && data.length <= 16 ? Buffer.from(data.map(Number)).toString('hex') : ''
}
