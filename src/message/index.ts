/** The canonical message, call and session: what every trace becomes and every request is made from. */
export { type Alteration, alterationOf, prefixMessage, readdressMessage } from './altered-message.ts'
export type { Call, CallParams, Scalar, Session, TokenUsage, ToolDefinition } from './call.ts'
export { canonicalJson } from './canonical-json.ts'
export { Interner } from './interner.ts'
export { isJsonObject, type JsonObject, jsonTextOf, textOf } from './json.ts'
export { matchKey } from './match-key.ts'
export type {
  MediaPart,
  Message,
  Part,
  ReasoningPart,
  Role,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from './message.ts'
export { MessagePool } from './message-pool.ts'
export { readMessages } from './read-messages.ts'
export { readTools } from './read-tools.ts'
export type { MessageProblem, ReadMessageContext } from './shapes/shape.ts'
export { withSystemFirst } from './system-first.ts'
