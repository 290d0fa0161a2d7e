import { isJsonObject, type JsonObject } from '../../message/index.ts'

/** LangChain's own records of a run: inputs are a batch of message lists, outputs a batch of generations. A trace has batches of one. */

/** The request in `{ messages: [[…]] }`; `undefined` when the object is none of LangChain's. */
export function langChainRequest(inputs: JsonObject): JsonObject | undefined {
  const { messages } = inputs
  if (!Array.isArray(messages) || !Array.isArray(messages[0])) return undefined
  return { ...inputs, messages: messages[0] }
}

/** The message in `{ generations: [[{ message }]] }`, or its text. */
export function langChainOutput(outputs: JsonObject): unknown {
  const { generations } = outputs
  if (!Array.isArray(generations)) return undefined
  const first: unknown = Array.isArray(generations[0]) ? generations[0][0] : generations[0]
  if (!isJsonObject(first)) return undefined
  return first.message ?? first.text
}
