import type { Warn } from '../base/index.ts'
import { type AcceptTools, toolsAcceptedBy } from './accepted-tools.ts'
import { anthropicMessages } from './anthropic-messages/index.ts'
import type { ApiName } from './api-name.ts'
import { openAiChat } from './openai-chat/index.ts'
import { openAiCompletions } from './openai-completions/index.ts'
import { openAiResponses } from './openai-responses/index.ts'
import type { Target } from './target.ts'
import type { WireApi } from './wire-api.ts'

const apis: Readonly<Record<ApiName, (target: Target, accepted: AcceptTools) => WireApi>> = {
  chat: openAiChat,
  completions: openAiCompletions,
  responses: openAiResponses,
  messages: anthropicMessages,
}

/** The API a target is asked by. */
export function openWireApi(target: Target, warn: Warn): WireApi {
  return apis[target.api](target, toolsAcceptedBy(target.dialect, warn))
}
