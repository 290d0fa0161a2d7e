/** OpenAI chat completions on the wire. */
import type { Target } from '../target.ts'
import type { WireApi } from '../wire-api.ts'
import { ChatReader } from './chat-reader.ts'
import { createChatEncoder } from './encode-request.ts'
import { KnownChunks } from './known-chunks.ts'

export function openAiChat(target: Target): WireApi {
  let invented = 0
  const known = new KnownChunks()
  return {
    path: '/chat/completions',
    encode: createChatEncoder(target.dialect, target.body),
    openResponse: () => new ChatReader(() => `call_live_${++invented}`, known),
  }
}
