/**
 * The simulator's tokenizer: within one piece of a message every four UTF-16 code units are a token, a rest is one too.
 * It is crude but stable: what the model wrote counts the same when it comes back in a later prompt.
 */
export const CODE_UNITS_PER_TOKEN = 4

/** What a chat template puts between the texts; each is one token. */
export type Marker = 'system' | 'user' | 'assistant' | 'tool' | 'end' | 'tools' | 'tool_call'

/** Tokens of one image, sound or file in a prompt, whatever its size. */
export const TOKENS_PER_MEDIA = 256

const MARKER_CODES: Readonly<Record<Marker, number>> = {
  system: 0x1_0001,
  user: 0x1_0002,
  assistant: 0x1_0003,
  tool: 0x1_0004,
  end: 0x1_0005,
  tools: 0x1_0006,
  tool_call: 0x1_0007,
}

/**
 * A sequence of tokens as far as the simulator needs one: its length, and a hash at the end of each whole block. A block's
 * hash covers everything before it too, so two sequences share a block hash only where they share the whole prefix.
 */
export class TokenSequence {
  readonly #blockTokens: number
  readonly #blockHashes: number[] = []
  #tokens = 0
  // Two lanes of 32 bits: a cache of millions of blocks must not see chance collisions.
  #high = 0x6a09e667
  #low = 0x3b67ae85

  constructor(blockTokens: number) {
    this.#blockTokens = blockTokens
  }

  get length(): number {
    return this.#tokens
  }

  get blockHashes(): readonly number[] {
    return this.#blockHashes
  }

  /** Of the whole sequence, 32 bits: the seed of what the model answers. */
  get hash(): number {
    return (this.#high ^ Math.imul(this.#low, 0x9e3779b1)) >>> 0
  }

  marker(marker: Marker): void {
    this.#mix(MARKER_CODES[marker])
    this.#endToken()
  }

  /** A tool call's head: its name is part of one token. */
  toolCall(name: string): void {
    for (let i = 0; i < name.length; i++) this.#mix(name.charCodeAt(i))
    this.marker('tool_call')
  }

  /** One piece of a message. */
  text(text: string): void {
    // Every byte of every prompt passes through here: kept plain, with the state in locals.
    let high = this.#high
    let low = this.#low
    let unitsLeft = CODE_UNITS_PER_TOKEN
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      high = Math.imul(high ^ code, 0x9e3779b1)
      high ^= high >>> 15
      low = Math.imul(low + code, 0x85ebca77)
      low ^= low >>> 13
      if (--unitsLeft === 0) {
        unitsLeft = CODE_UNITS_PER_TOKEN
        this.#high = high
        this.#low = low
        this.#endToken()
      }
    }
    this.#high = high
    this.#low = low
    if (unitsLeft < CODE_UNITS_PER_TOKEN) this.#endToken()
  }

  /** An image, a sound or a file, known by its address or data. */
  media(source: string): void {
    for (let i = 0; i < source.length; i++) this.#mix(source.charCodeAt(i))
    for (let i = 0; i < TOKENS_PER_MEDIA; i++) {
      this.#mix(i)
      this.#endToken()
    }
  }

  #mix(code: number): void {
    this.#high = Math.imul(this.#high ^ code, 0x9e3779b1)
    this.#high ^= this.#high >>> 15
    this.#low = Math.imul(this.#low + code, 0x85ebca77)
    this.#low ^= this.#low >>> 13
  }

  #endToken(): void {
    this.#tokens++
    if (this.#tokens % this.#blockTokens === 0) {
      this.#blockHashes.push((this.#high >>> 0) * 2 ** 21 + (this.#low >>> 11))
    }
  }
}

/** Tokens of one piece of a message. */
export function countTokens(text: string): number {
  return Math.ceil(text.length / CODE_UNITS_PER_TOKEN)
}
