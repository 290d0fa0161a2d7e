/** A text without the secrets in it, wherever it came from: a server may echo the key it refused. */
export function scrub(text: string, secrets: readonly string[]): string {
  let scrubbed = text
  for (const secret of secrets) if (secret !== '') scrubbed = scrubbed.replaceAll(secret, '***')
  return scrubbed
}

/** The values of headers (or query parameters) that must not be shown, longest first. */
export function secretsAmong(named: Iterable<readonly [name: string, value: string]>): string[] {
  const secrets = new Set<string>()
  for (const [name, value] of named) {
    if (!SECRET_NAME.test(name) || value === '') continue
    secrets.add(value)
    // Of `Bearer sk-…` a server that echoes the key leaves the scheme out.
    secrets.add(value.slice(value.indexOf(' ') + 1))
  }
  return [...secrets].sort((a, b) => b.length - a.length)
}

const SECRET_NAME = /authorization|cookie|token|secret|password|credential|signature|key$|^key/i
