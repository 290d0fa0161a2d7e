/** OpenAI completions, the API of plain text, on the wire. */
import type { AcceptTools } from '../accepted-tools.ts'
import type { Target } from '../target.ts'
import type { WireApi } from '../wire-api.ts'
import { CompletionsReader } from './completions-reader.ts'
import { createCompletionsEncoder } from './encode-request.ts'

export function openAiCompletions(target: Target, accepted: AcceptTools): WireApi {
  let invented = 0
  return {
    path: '/completions',
    encode: createCompletionsEncoder(target.dialect, target.body, accepted),
    openResponse: (request) => new CompletionsReader(request, () => `call_live_${++invented}`),
  }
}
