import { isJsonObject, type JsonObject } from '../../message/index.ts'
import type { ContentReader } from '../content-reader.ts'
import type { Attributes } from '../span.ts'

/**
 * The object in an attribute, structured or as JSON text; `undefined` when it holds something else, such as an answer's plain text.
 *
 * @throws {UnreadableContent} for JSON that is cut off
 */
export function objectAt(attributes: Attributes, key: string, content: ContentReader): JsonObject | undefined {
  const value = attributes.get(key)
  if (value === undefined) return undefined
  const data = content.dataOrText(value, key)
  return isJsonObject(data) ? data : undefined
}

/** The same for an attribute that holds a request with its history: what earlier ones had in it is not parsed again. */
export function requestAt(attributes: Attributes, key: string, content: ContentReader): JsonObject | undefined {
  const value = attributes.get(key)
  if (value === undefined) return undefined
  const data = content.request(value, key, { plain: true })
  return isJsonObject(data) ? data : undefined
}
