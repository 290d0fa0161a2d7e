import { mix } from '../base/index.ts'

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
  #tokensInBlock = 0
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
    return mix(this.#high, this.#low)
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
    let tokensInBlock = this.#tokensInBlock
    const blockTokens = this.#blockTokens
    for (let i = 0; i < text.length; i += CODE_UNITS_PER_TOKEN) {
      const first = unit(text, i) | (unit(text, i + 1) << 16)
      const second = unit(text, i + 2) | (unit(text, i + 3) << 16)
      high = mixHigh(mixHigh(high, first), second)
      low = mixLow(mixLow(low, first), second)
      if (++tokensInBlock === blockTokens) {
        tokensInBlock = 0
        this.#blockHashes.push(blockHash(high, low))
      }
    }
    this.#high = high
    this.#low = low
    this.#tokensInBlock = tokensInBlock
    this.#tokens += countTokens(text)
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
    this.#high = mixHigh(this.#high, code)
    this.#low = mixLow(this.#low, code)
  }

  #endToken(): void {
    this.#tokens++
    if (++this.#tokensInBlock < this.#blockTokens) return
    this.#tokensInBlock = 0
    this.#blockHashes.push(blockHash(this.#high, this.#low))
  }
}

function mixHigh(hash: number, code: number): number {
  const mixed = Math.imul(hash ^ code, 0x9e3779b1)
  return mixed ^ (mixed >>> 15)
}

function mixLow(hash: number, code: number): number {
  const mixed = Math.imul(hash + code, 0x85ebca77)
  return mixed ^ (mixed >>> 13)
}

/** 53 bits of the two lanes. */
function blockHash(high: number, low: number): number {
  return (high >>> 0) * 2 ** 21 + (low >>> 11)
}

/** 0 beyond the end. */
function unit(text: string, at: number): number {
  return at < text.length ? text.charCodeAt(at) : 0
}

/** Tokens of one piece of a message. */
export function countTokens(text: string): number {
  return Math.ceil(text.length / CODE_UNITS_PER_TOKEN)
}
