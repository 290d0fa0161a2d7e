import { readChatMessage } from './chat.ts'
import { readLangChainMessage } from './langchain.ts'
import { readResponsesItem } from './openai-responses.ts'
import type { MessageShape } from './shape.ts'

/** Asked in this order; the first that knows an entry reads it. */
export const messageShapes: readonly MessageShape[] = [readResponsesItem, readLangChainMessage, readChatMessage]
