import { isJsonObject } from '../../message/index.ts'
import { textAt } from '../attributes.ts'
import type { Dialect } from './dialect.ts'
import { readGenAiParams, readGenAiUsage } from './gen-ai-request.ts'
import { isProviderRequest, readProviderRequest } from './provider-request.ts'
import { readProviderResponse } from './provider-response.ts'

const REQUEST = 'gcp.vertex.agent.llm_request'
const RESPONSE = 'gcp.vertex.agent.llm_response'

/**
 * Google's Agent Development Kit. Its `call_llm` spans hold Gemini's request and response; tool spans hold the same
 * attributes, empty. Newer versions nest a span of the OpenTelemetry conventions inside: the two are one call.
 */
export const googleAdk: Dialect = {
  name: 'Google ADK',
  mark: 'its name is call_llm and `gen_ai.system` is gcp.vertex.agent, with the input in `gcp.vertex.agent.llm_request`',
  advice: {
    content:
      'In Google ADK, set ADK_CAPTURE_MESSAGE_CONTENT_IN_SPANS=true (the default) and OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true.',
  },
  enclosesTools: true,
  classify({ name, scope, attributes }) {
    const isAdk = scope === 'gcp.vertex.agent' || textAt(attributes, 'gen_ai.system') === 'gcp.vertex.agent'
    return isAdk && name === 'call_llm' ? 'call' : undefined
  },
  read({ attributes }, content) {
    const body = content.request(attributes.get(REQUEST), REQUEST)
    const request = isProviderRequest(body) ? readProviderRequest(body, content, REQUEST) : undefined
    const answer = content.data(attributes.get(RESPONSE), RESPONSE)
    // In place of a response that it cannot write, it writes a note.
    const response = readProviderResponse(isJsonObject(answer) ? answer : undefined, content, RESPONSE)
    return {
      richness: 'raw',
      model: textAt(attributes, 'gen_ai.request.model') || request?.model || response.model,
      responseId: response.responseId,
      messages: request?.messages ?? [],
      output: response.output,
      tools: request?.tools ?? [],
      params: { ...readGenAiParams(attributes), ...request?.params },
      // Its own attributes leave out the thoughts.
      usage: { ...readGenAiUsage(attributes), ...response.usage },
    }
  },
}
