import { isJsonObject } from '../../message/index.ts'
import { textAt } from '../attributes.ts'
import type { Dialect } from './dialect.ts'
import { isProviderRequest, readProviderRequest } from './provider-request.ts'
import { readProviderResponse } from './provider-response.ts'

const INPUT = 'genkit:input'
const OUTPUT = 'genkit:output'

/** Genkit. Flows, tools and the `generate` around a model's action hold the same attributes as the action. */
export const genkit: Dialect = {
  name: 'Genkit',
  mark: '`genkit:metadata:subtype` is model, with the input in `genkit:input`',
  classify({ attributes }) {
    if (textAt(attributes, 'genkit:type') === '') return undefined
    return textAt(attributes, 'genkit:metadata:subtype') === 'model' ? 'call' : 'structure'
  },
  read({ attributes }, content) {
    const input = content.request(attributes.get(INPUT), INPUT)
    const request = isProviderRequest(input) ? readProviderRequest(input, content, INPUT) : undefined
    const output = content.data(attributes.get(OUTPUT), OUTPUT)
    // Older models answer with candidates, each with a message.
    const [candidate] = isJsonObject(output) && Array.isArray(output.candidates) ? output.candidates : []
    const message = isJsonObject(candidate) ? candidate.message : undefined
    return {
      richness: 'raw',
      model: textAt(attributes, 'genkit:name'),
      responseId: '',
      messages: request?.messages ?? [],
      tools: request?.tools ?? [],
      params: request?.params ?? {},
      ...answerOf(readProviderResponse(output, content, OUTPUT)),
      ...(message === undefined ? {} : { output: content.output(message, OUTPUT) }),
    }
  },
}

function answerOf({ output, usage }: ReturnType<typeof readProviderResponse>) {
  return { output, usage }
}
