import { findJsonFault } from '../json-fault.ts'
import type { Encoding } from './encoding.ts'
import { describeJsonFault } from './json-fault-text.ts'
import { decodeJsonText, parseJson } from './text.ts'

/** One JSON text; or several, one after another, as programs print them that write span by span. */
export const json: Encoding = {
  name: 'JSON',
  recognises: () => true,
  *documents(bytes, report) {
    let parsed: ReturnType<typeof parseJson>
    try {
      parsed = parseJson(bytes, report)
    } catch {
      const { documents, whole } = concatenated(decodeJsonText(bytes, report) ?? '')
      yield* documents
      if (!whole)
        report.refuse(
          'UNREADABLE_TRACE',
          describeJsonFault(bytes, report),
          documents.length === 0 ? '' : `after ${documents.length} documents`,
        )
      return
    }
    if (parsed !== undefined) yield parsed.value
  },
}

/** The JSON texts at the head of a text that is none by itself, and whether they make up the whole of it. */
function concatenated(text: string): { documents: unknown[]; whole: boolean } {
  const documents: unknown[] = []
  let rest = text
  while (rest.trim() !== '') {
    // Where a text that began well stops being JSON, another one may begin.
    const { offset, cutOff } = findJsonFault(rest)
    const next = parsedDocument(cutOff ? rest : rest.slice(0, offset))
    if (next === undefined || (cutOff ? false : offset === 0)) return { documents, whole: false }
    documents.push(next.value)
    if (cutOff) break
    rest = rest.slice(offset)
  }
  return { documents, whole: documents.length > 0 }
}

function parsedDocument(text: string): { value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    // Bare numbers and words between brackets are log noise, not documents.
    return typeof value === 'object' && value !== null ? { value } : undefined
  } catch {
    return undefined
  }
}
