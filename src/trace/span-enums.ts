import type { SpanKind, SpanStatus } from './span.ts'

const KINDS: readonly SpanKind[] = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer']
const CODES: readonly SpanStatus['code'][] = ['unset', 'ok', 'error']

/** `3`, `'CLIENT'`, `'SPAN_KIND_CLIENT'`, `'SpanKind.CLIENT'` */
export function readKind(value: unknown): SpanKind {
  return fromEnum(KINDS, value) ?? 'unspecified'
}

/** `2`, `'ERROR'`, `'STATUS_CODE_ERROR'`, `'StatusCode.ERROR'` */
export function readStatusCode(value: unknown): SpanStatus['code'] {
  return fromEnum(CODES, value) ?? 'unset'
}

function fromEnum<Name extends string>(names: readonly Name[], value: unknown): Name | undefined {
  if (typeof value === 'number') return names[value]
  if (typeof value !== 'string') return undefined
  const word = value.toLowerCase()
  return names.find((name) => word === name || word.endsWith(`_${name}`) || word.endsWith(`.${name}`))
}
