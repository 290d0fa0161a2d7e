/**
 * The canonical message, whatever API or dialect it was recorded from. Messages are immutable and interned: equal messages
 * of one input set are one object, so `===` is equality and memory follows the distinct text.
 */
export interface Message {
  readonly role: Role
  readonly parts: readonly Part[]
}

/** `developer` is read as `system`. */
export type Role = 'system' | 'user' | 'assistant' | 'tool'

export type Part = TextPart | ReasoningPart | ToolCallPart | ToolResultPart | MediaPart

export interface TextPart {
  readonly type: 'text'
  readonly text: string
}

export interface ReasoningPart {
  readonly type: 'reasoning'
  readonly text: string
}

export interface ToolCallPart {
  readonly type: 'tool_call'
  /** Empty when the recording has none. */
  readonly id: string
  readonly name: string
  /** JSON text as the model wrote it; not necessarily valid JSON. */
  readonly arguments: string
}

/** A message of role `tool` carries exactly one of these; a bundle of several is split when it is read. */
export interface ToolResultPart {
  readonly type: 'tool_result'
  /** The id of the tool call it answers; empty when the recording has none. */
  readonly id: string
  /** Text; block lists of text are joined with newlines, anything else is kept as JSON text. */
  readonly content: string
}

export interface MediaPart {
  readonly type: 'media'
  readonly modality: 'image' | 'audio' | 'video' | 'file'
  readonly mime: string
  /** Base64, or a URI. */
  readonly source: { readonly data: string } | { readonly uri: string }
}
