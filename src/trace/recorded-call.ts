import type { Call, Scalar } from '../message/index.ts'
import type { Advice, CallDraft } from './dialects/index.ts'
import type { FileReport } from './file-report.ts'
import type { Attributes, AttributeValue, Span } from './span.ts'
import type { SpanNode } from './span-tree.ts'

/** A call as read from its span, before duplicates are dropped and sessions formed. */
export interface RecordedCall {
  readonly node: SpanNode
  readonly name: string
  readonly draft: CallDraft
  /** Milliseconds since 1970. */
  readonly startMs: number
  readonly endMs: number
  readonly error: string | null
  readonly attributes: Call['attributes']
  readonly resource: Attributes
  readonly report: FileReport
  /** The span as a person would look for it in the file. */
  readonly place: string
  readonly advice: Advice
}

/** The recorded failure in a line, `null` when the span ended well. */
export function errorOf({ status, attributes, events }: Span): string | null {
  const type = attributes.get('error.type')
  if (status.code !== 'error' && type === undefined) return null
  const exception = events.find(({ name }) => name === 'exception')?.attributes.get('exception.message')
  const [text = 'error'] = [status.message, exception, type].filter((value) => typeof value === 'string' && value !== '')
  return String(text).slice(0, LONGEST_ERROR)
}

const LONGEST_ERROR = 1_000
const LONGEST_TEXT = 256
const MOST_ATTRIBUTES = 100
const CONTENT =
  /(?:^|[._])(?:messages?|prompt|completion|contents?|text|arguments|result|input|output|instructions|definitions|toolCalls|tool_calls|object)(?:\.|$)/i
const UNSAFE_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

/** The short scalars among attributes: labels, not content. A list of names becomes one text. */
export function labelsOf(attributes: Attributes): Readonly<Record<string, Scalar>> {
  const labels: Record<string, Scalar> = {}
  let count = 0
  for (const [key, value] of attributes) {
    if (count === MOST_ATTRIBUTES) break
    if (UNSAFE_KEYS.has(key) || key.length > LONGEST_TEXT || CONTENT.test(key)) continue
    const label = Array.isArray(value) && value.every((item) => typeof item === 'string') ? value.join(', ') : value
    if (!isLabel(label)) continue
    labels[key] = label
    count += 1
  }
  return labels
}

function isLabel(value: AttributeValue): value is Scalar {
  if (typeof value === 'string') return value.length <= LONGEST_TEXT && !/^\s*[[{]/.test(value)
  return typeof value === 'boolean' || Number.isFinite(value)
}
