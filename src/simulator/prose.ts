import { drawInteger, drawOne, type Random } from '../base/index.ts'
import { CODE_UNITS_PER_TOKEN } from './tokens.ts'

const WORDS =
  'a agent and answer before branch but call change check clear each early ends file finds first follows from grows holds into joins keeps large last late line long model next note of one open over plan queue quick reads report request result review server shows simple slow small so starts step table test the then this token trace until value waits while whole with word writes'.split(
    ' ',
  ) as [string, ...string[]]

/** Some words, with a space between them. */
export function words(random: Random, count: number): string {
  return Array.from({ length: count }, () => drawOne(random, WORDS)).join(' ')
}

/**
 * Endless English-looking sentences, handed out token by token, so that a long answer takes no memory before it is
 * written. Its first and last characters are no spaces: a client that trims it changes nothing.
 */
export class Prose {
  readonly #random: Random
  #space = ''
  #pending = ''
  #wordsLeft = 0

  constructor(random: Random) {
    this.#random = random
  }

  /** Exactly one token. */
  nextToken(isLast: boolean): string {
    while (this.#pending.length < CODE_UNITS_PER_TOKEN) this.#addWord()
    const token = this.#pending.slice(0, CODE_UNITS_PER_TOKEN)
    this.#pending = this.#pending.slice(CODE_UNITS_PER_TOKEN)
    return isLast ? `${token.slice(0, -1)}.` : token
  }

  #addWord(): void {
    const word = drawOne(this.#random, WORDS)
    const startsSentence = this.#wordsLeft === 0
    if (startsSentence) this.#wordsLeft = drawInteger(this.#random, 5, 12)
    this.#wordsLeft--
    const written = startsSentence ? `${word.charAt(0).toUpperCase()}${word.slice(1)}` : word
    this.#pending += `${this.#space}${written}${this.#wordsLeft === 0 ? '.' : ''}`
    this.#space = ' '
  }
}
