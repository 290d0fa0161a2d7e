/** OpenAI chat completions on the wire. */
import type { AcceptTools } from '../accepted-tools.ts'
import type { Target } from '../target.ts'
import type { WireApi } from '../wire-api.ts'
import { ChatReader } from './chat-reader.ts'
import { createChatEncoder } from './encode-request.ts'
import { KnownChunks } from './known-chunks.ts'

export function openAiChat(target: Target, accepted: AcceptTools): WireApi {
  let invented = 0
  const known = new KnownChunks()
  return {
    path: '/chat/completions',
    encode: createChatEncoder(target.dialect, target.body, accepted),
    openResponse: () => new ChatReader(() => `call_live_${++invented}`, known),
  }
}
