/**
 * JSON text in one form: keys sorted, no white space, so that two ways to write the same value compare equal. Text that is
 * not JSON (a model may write anything) comes back trimmed, nothing else.
 */
export function canonicalJson(text: string): string {
  const trimmed = text.trim()
  try {
    return write(JSON.parse(trimmed))
  } catch {
    // Not JSON, or nested deeper than the stack: compared as it stands.
    return trimmed
  }
}

/**
 * Writes text rather than building a sorted object: an own key named `__proto__` stays a key, and keys that look like
 * indexes are sorted like any other.
 */
function write(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${write(field)}`).join(',')}}`
}
