/** OpenAI Responses on the wire. */
import type { AcceptTools } from '../accepted-tools.ts'
import type { Target } from '../target.ts'
import type { WireApi } from '../wire-api.ts'
import { createResponsesEncoder } from './encode-request.ts'
import { ResponsesReader } from './responses-reader.ts'

export function openAiResponses(target: Target, accepted: AcceptTools): WireApi {
  let invented = 0
  return {
    path: '/responses',
    encode: createResponsesEncoder(target.dialect, target.body, accepted),
    openResponse: () => new ResponsesReader(() => `call_live_${++invented}`),
  }
}
