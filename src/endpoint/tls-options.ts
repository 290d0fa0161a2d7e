import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { z } from 'zod'
import { TraceReplayError } from '../base/index.ts'

/** How an https target is trusted, and how we prove who we are. Certificates and keys: PEM text, or a file that holds it. */
export interface TlsOptions {
  /** Authorities to trust instead of the system's. */
  readonly ca?: string
  /** Our certificate, where the server asks for one (mTLS), with its `key`. */
  readonly cert?: string
  /** Never reported. */
  readonly key?: string
  /** Of an encrypted `key`. Never reported. */
  readonly passphrase?: string
  /** The name the server's certificate must have. @default the host of `url` */
  readonly serverName?: string
  /** `false` trusts any certificate: for test systems alone. @default true */
  readonly verify?: boolean
}

/** The same with every file read: plain data, as `node:tls` takes it. */
export interface TlsSettings {
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
  readonly passphrase?: string
  readonly servername?: string
  readonly rejectUnauthorized: boolean
}

// What may hold a secret is checked by hand: a schema's error shows the value it met.
export const tlsSchema = z.strictObject({
  ca: z.unknown().optional(),
  cert: z.unknown().optional(),
  key: z.unknown().optional(),
  passphrase: z.unknown().optional(),
  serverName: z.string().min(1, 'expected a host name').optional(),
  verify: z.boolean().optional(),
})

/** @throws {TraceReplayError} `INVALID_OPTION`; the message never shows a key */
export function resolveTls(options: z.output<typeof tlsSchema>): TlsSettings {
  const { serverName, verify = true, passphrase } = options
  const ca = pemOf(options.ca, 'ca')
  const cert = pemOf(options.cert, 'cert')
  const key = pemOf(options.key, 'key')
  if ((cert === undefined) !== (key === undefined)) {
    throw invalid('tls', '`cert` and `key` go together: give both, or neither')
  }
  if (passphrase !== undefined && typeof passphrase !== 'string') throw invalid('tls.passphrase', 'expected text')
  const identity = {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(passphrase !== undefined && { passphrase }),
  }
  checkUsable(identity)
  return {
    ...identity,
    ...(serverName !== undefined && { servername: serverName }),
    rejectUnauthorized: verify,
  }
}

const CERTIFICATE = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----[^-]+-----END/g

/** What no connection could be made with is not the server's fault: said before the first one. */
function checkUsable(identity: Pick<TlsSettings, 'ca' | 'cert' | 'key' | 'passphrase'>): void {
  try {
    createSecureContext(identity)
    if (identity.ca !== undefined) checkAuthorities(identity.ca)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new TraceReplayError(
      'INVALID_OPTION',
      `target.tls: cannot be used (${reason}). Expected PEM of certificates in \`ca\` and \`cert\`, and in \`key\` the private key of \`cert\`, with its \`passphrase\` if it is encrypted.`,
      { cause },
    )
  }
}

/** A context takes any text for authorities, and then trusts none. */
function checkAuthorities(ca: string): void {
  const certificates = ca.match(CERTIFICATE) ?? []
  if (certificates.length === 0) throw new Error('`ca` holds no whole certificate')
  for (const certificate of certificates) new X509Certificate(`${certificate} CERTIFICATE-----\n`)
}

function pemOf(value: unknown, name: 'ca' | 'cert' | 'key'): string | undefined {
  if (value === undefined) return undefined
  const where = `tls.${name}`
  if (typeof value !== 'string' || value === '') throw invalid(where, 'expected PEM text, or the path of a file that holds it')
  if (value.includes('-----BEGIN')) return value
  let text: string
  try {
    text = readFileSync(value, 'utf8')
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? cause.code : 'an error'
    throw new TraceReplayError('INVALID_OPTION', `target.${where}: the file cannot be read (${String(reason)}).`, { cause })
  }
  if (!text.includes('-----BEGIN')) throw invalid(where, 'the file holds no PEM text')
  return text
}

function invalid(where: string, problem: string): TraceReplayError {
  return new TraceReplayError('INVALID_OPTION', `target.${where}: ${problem}.`)
}
