import { isJsonObject, type JsonObject } from '../../message/index.ts'
import { textAt } from '../attributes.ts'
import type { ContentReader } from '../content-reader.ts'
import type { Attributes } from '../span.ts'
import type { Dialect } from './dialect.ts'
import { readGenAiParams, readGenAiUsage } from './gen-ai-request.ts'
import { hasCutValues, putBackCutValues, rememberToolCalls } from './mastra-cut-values.ts'
import { rememberOutput, splitMergedTurns } from './mastra-merged-turns.ts'
import { isProviderRequest, readProviderRequest } from './provider-request.ts'
import { readProviderUsage } from './provider-usage.ts'

const STRUCTURE = /^(?:agent|workflow|tool|mcp|processor|scorer|model_chunk|llm_chunk|rag|memory|generic)/

/**
 * Mastra. Its generation spans cover a whole loop of requests, with usage summed up; one request is a step, with the body that
 * was sent. Spans go on while the tools run.
 */
export const mastra: Dialect = {
  name: 'Mastra',
  mark: '`mastra.span.type` is model_step, with the input in `input` or `mastra.model_step.input`',
  advice: { content: 'In Mastra, export spans of type model_step, and let no span processor hide input and output.' },
  enclosesTools: true,
  classify({ attributes }) {
    const type = textAt(attributes, 'mastra.span.type')
    if (type === 'model_step' || type === 'model_generation' || type === 'llm_generation') return 'call'
    return STRUCTURE.test(type) ? 'structure' : undefined
  },
  read({ attributes }, content) {
    const key = (name: string) => [name, `mastra.model_step.${name}`].find((place) => attributes.has(place)) ?? name
    const request = readStepInput(attributes, key('input'), content)
    const body = dataAt(attributes, 'body', content)
    const output = readStepOutput(attributes, key('output'), content)
    rememberOutput(output, content)
    return {
      richness: 'raw',
      model: textAt(attributes, 'gen_ai.request.model') || request.model || textAt(attributes, 'modelId'),
      responseId: isJsonObject(body) ? textAt(attributes, 'id') : '',
      messages: splitMergedTurns(request.messages, content),
      output,
      tools: request.tools,
      params: { ...readGenAiParams(attributes), ...request.params },
      usage: { ...readProviderUsage(isJsonObject(body) ? body.usage : undefined), ...readGenAiUsage(attributes) },
    }
  },
}

/** The body of the request, by itself or under `body`; or messages. */
function readStepInput(attributes: Attributes, key: string, content: ContentReader) {
  const value = attributes.get(key)
  const isCut = hasCutValues(value, content)
  const data = isCut ? content.data(value, key) : content.request(value, key, { plain: true })
  const inner = isJsonObject(data) && data.body !== undefined ? content.data(data.body, `${key}.body`) : data
  const input = isCut ? putBackCutValues(inner, content) : inner
  if (isProviderRequest(input)) return readProviderRequest(input, content, key)
  return { model: '', messages: Array.isArray(input) ? content.messages(input, key) : [], tools: [], params: {} }
}

function readStepOutput(attributes: Attributes, key: string, content: ContentReader) {
  const data = dataAt(attributes, key, content)
  if (!isJsonObject(data)) return content.output(data, key, true)
  rememberToolCalls(data.toolCalls, content)
  const blocks: JsonObject[] = [
    ...listOf(data.reasoning).map((reasoning) => (isJsonObject(reasoning) ? reasoning : { type: 'reasoning', text: reasoning })),
    { type: 'text', text: data.text ?? (data.object === undefined ? '' : JSON.stringify(data.object)) },
    ...listOf(data.toolCalls).filter(isJsonObject),
  ]
  return content.output([{ role: 'assistant', content: blocks }], key)
}

function dataAt(attributes: Attributes, key: string, content: ContentReader): unknown {
  return content.dataOrText(attributes.get(key), key)
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}
