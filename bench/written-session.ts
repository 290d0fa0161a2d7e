import { mulberry32, prose, sourceText } from './synthetic-text.ts'
import type { ToldCall, Turn } from './told-call.ts'

/** A span as a recorder makes it of a call. */
export interface WrittenSpan {
  readonly name: string
  readonly scope?: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly events?: readonly { readonly name: string; readonly attributes: Readonly<Record<string, unknown>> }[]
}

export type Writer = (call: ToldCall) => WrittenSpan

/** The session of one recorder as OTLP/JSON. */
export function writtenSession(writer: Writer, calls: number, seed: number): Uint8Array {
  const random = mulberry32(seed)
  const system = prose(random, 9_000)
  const question = prose(random, 600)
  const turns: Turn[] = []
  const spans = Array.from({ length: calls }, (_, index) => {
    const args = { path: `src/module-${index}.ts`, text: sourceText(random, 900) }
    const answer = {
      text: prose(random, 200),
      call: { id: `call_${index}`, name: 'edit_file', args },
      result: sourceText(random, 4_200),
    }
    const span = otlpSpan(writer({ system, question, before: [...turns], answer }), index)
    turns.push(answer)
    return span
  })
  return Buffer.from(
    JSON.stringify({
      resourceSpans: spans.map(({ scope, ...span }) => ({ scopeSpans: [{ scope: { name: scope ?? '' }, spans: [span] }] })),
    }),
  )
}

function otlpSpan({ name, scope, attributes, events = [] }: WrittenSpan, index: number) {
  const startMs = 1_780_000_000_000 + index * 10_000
  return {
    scope,
    traceId: '5b8efff798038103d269b633813fc60c',
    spanId: (0x1000_0000_0000_0000n + BigInt(index)).toString(16),
    name,
    startTimeUnixNano: `${startMs}000000`,
    endTimeUnixNano: `${startMs + 5_000}000000`,
    attributes: keyValues(attributes),
    events: events.map((event) => ({ name: event.name, attributes: keyValues(event.attributes) })),
  }
}

function keyValues(attributes: Readonly<Record<string, unknown>>) {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: Array.isArray(value)
      ? { arrayValue: { values: value.map((item) => ({ stringValue: item })) } }
      : { stringValue: value },
  }))
}
