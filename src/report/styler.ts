import { styleText } from 'node:util'

/** How text is emphasised. Injected, so that rendering stays pure and colours can be off. */
export interface Styler {
  bold(text: string): string
  dim(text: string): string
  good(text: string): string
  bad(text: string): string
  warn(text: string): string
}

/** Text as it is: for files, logs and terminals without colours. */
export const plain: Styler = { bold: same, dim: same, good: same, bad: same, warn: same }

/** ANSI colours. */
export const colourful: Styler = {
  bold: (text) => styleText('bold', text),
  dim: (text) => styleText('dim', text),
  good: (text) => styleText('green', text),
  bad: (text) => styleText('red', text),
  warn: (text) => styleText('yellow', text),
}

/** What every renderer is told about the place it renders for. */
export interface RenderOptions {
  /** Columns of the terminal. @default 80 */
  readonly width?: number
  /** @default plain */
  readonly styler?: Styler
}

export const DEFAULT_WIDTH = 80

function same(text: string): string {
  return text
}
