/** The canonical message, call and session: what every trace becomes and every request is made from. */
export type { Call, CallParams, Scalar, Session, TokenUsage, ToolDefinition } from './call.ts'
export { canonicalJson } from './canonical-json.ts'
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
