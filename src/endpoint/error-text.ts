import { excerpt, isObject, parseJson } from './json-value.ts'

/**
 * What an error body says, in one line: the message of the JSON shapes servers use, the title or first words of an HTML
 * page, else the text itself. Empty when it says nothing.
 */
export function errorTextOfBody(body: string): string {
  const parsed = parseJson(body)
  if (parsed !== undefined) return errorText(parsed.value) ?? excerpt(body)
  if (/^\s*(?:<!doctype|<html|<head|<body|<\?xml)/i.test(body)) return htmlText(body)
  return excerpt(body)
}

/** The message inside an error value; `undefined` when there is none. */
export function errorText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : excerpt(value, 400)
  if (Array.isArray(value)) {
    const texts = value.map(errorText).filter((text) => text !== undefined)
    return texts.length === 0 ? undefined : excerpt(texts.join('; '), 400)
  }
  if (!isObject(value)) return undefined
  // FastAPI lists what it did not like as { loc, msg }.
  if (typeof value.msg === 'string') return Array.isArray(value.loc) ? `${value.loc.join('.')}: ${value.msg}` : value.msg
  for (const field of ['error', 'message', 'detail', 'errors', 'error_message', 'title']) {
    const text = errorText(value[field])
    if (text !== undefined) return text
  }
  return undefined
}

function htmlText(html: string): string {
  const title = /<title[^>]*>([^<]*)/i.exec(html)?.[1]?.trim()
  if (title !== undefined && title !== '') return excerpt(title)
  const text = html.replace(/<(script|style)\b[\s\S]*?(?:<\/\1>|$)/gi, ' ').replace(/<[^>]*>/g, ' ')
  return excerpt(text)
}
