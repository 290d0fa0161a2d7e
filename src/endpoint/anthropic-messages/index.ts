/** Anthropic Messages on the wire. */
import type { AcceptTools } from '../accepted-tools.ts'
import type { Target } from '../target.ts'
import type { WireApi } from '../wire-api.ts'
import { createMessagesEncoder } from './encode-request.ts'
import { MessagesReader } from './messages-reader.ts'

export function anthropicMessages(target: Target, accepted: AcceptTools): WireApi {
  let invented = 0
  return {
    path: '/messages',
    headers: { 'anthropic-version': '2023-06-01' },
    encode: createMessagesEncoder(target.dialect, target.body, accepted),
    openResponse: () => new MessagesReader(() => `toolu_live_${++invented}`),
  }
}
