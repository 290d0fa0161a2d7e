/** Widths are those of a terminal's columns; all functions take text without colours. */

const WIDE = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\uff01-\uff60]/u
const ZERO_WIDTH = /[\p{Mark}\p{Cf}]/u
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\ufeff]+/gu

/** Columns that the text takes. */
export function visibleWidth(text: string): number {
  let width = 0
  for (const character of text) width += characterWidth(character)
  return width
}

/**
 * Text from a trace or a server, made safe to print on one line: control characters, escape sequences and direction marks
 * would let it repaint the terminal. Runs of them become one space.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, ' ').trim()
}

/** At most `width` columns, the rest behind an ellipsis. */
export function truncate(text: string, width: number): string {
  if (visibleWidth(text) <= width) return text
  let kept = ''
  let used = 1
  for (const character of text) {
    used += characterWidth(character)
    if (used > width) break
    kept += character
  }
  return width < 1 ? '' : `${kept.trimEnd()}…`
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - visibleWidth(text)))
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - visibleWidth(text))) + text
}

/** Breaks at spaces, so that no line is wider than `width` unless a single word is. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && visibleWidth(line) + 1 + visibleWidth(word) > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  lines.push(line)
  return lines
}

function characterWidth(character: string): number {
  if (character <= '\u024f') return 1
  return ZERO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1
}
