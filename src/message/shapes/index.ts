import { readChatMessage } from './chat.ts'
import type { MessageShape } from './shape.ts'

/** Asked in this order; the first that knows an entry reads it. */
export const messageShapes: readonly MessageShape[] = [readChatMessage]
