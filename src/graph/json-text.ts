/** The forms a text takes inside a JSON string, those that differ from the text itself: as most write it, and in ASCII only. */
export function jsonForms(text: string): string[] {
  const escaped = JSON.stringify(text).slice(1, -1)
  const ascii = escaped.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return [...new Set([escaped, ascii])].filter((form) => form !== text)
}

export interface QuotedString {
  readonly value: string
  /** Offsets of what stands between the quotes. */
  readonly start: number
  readonly end: number
}

/** The strings of a JSON text, in order. Of text that is not JSON, whatever stands between quotes. */
export function* quotedStrings(text: string): Generator<QuotedString> {
  let open = text.indexOf('"')
  while (open >= 0) {
    const close = closingQuote(text, open + 1)
    if (close < 0) return
    const value = unescaped(text.slice(open + 1, close))
    if (value !== undefined) yield { value, start: open + 1, end: close }
    open = text.indexOf('"', close + 1)
  }
}

function closingQuote(text: string, from: number): number {
  let close = text.indexOf('"', from)
  while (close >= 0 && isEscaped(text, close, from)) close = text.indexOf('"', close + 1)
  return close
}

/** An odd number of backslashes stands before it. */
function isEscaped(text: string, at: number, from: number): boolean {
  let backslashes = 0
  while (at - 1 - backslashes >= from && text[at - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}

function unescaped(raw: string): string | undefined {
  if (!raw.includes('\\')) return raw
  try {
    const value: unknown = JSON.parse(`"${raw}"`)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
