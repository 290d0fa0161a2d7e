import type { EdgeKind } from './replay-graph.ts'
import type { Timeline } from './timeline.ts'

/** Why a call waits for an earlier one, before reduction. */
export interface Cause {
  /** Rank of the predecessor. */
  readonly from: number
  readonly reason: Reason
}

export type Reason =
  /** `messages[0…length - 1]` are the predecessor's input and output. */
  | { readonly type: 'context'; readonly length: number }
  /** The messages before this one are the predecessor's input; this one stands where its output would. */
  | { readonly type: 'continued-input'; readonly message: number }
  | { readonly type: 'output'; readonly message: number }
  | { readonly type: 'tool-call-id'; readonly message: number; readonly id: string }
  | { readonly type: 'hand-off'; readonly message: number; readonly characters: number; readonly as: HandOffForm }
  | { readonly type: 'argument'; readonly message: number; readonly tool: string }
  | { readonly type: 'retry' }
  | { readonly type: 'ended-before' }
  /** This call's thread ran between the predecessor and `next`. */
  | { readonly type: 'gap-opened'; readonly next: number }
  /** The predecessor's thread ran between `previous` and this call. */
  | { readonly type: 'gap-closed'; readonly previous: number }

/** A whole part of the message, a whole string of a part that is JSON, or a stretch inside a part. */
export type HandOffForm = 'part' | 'json-string' | 'stretch'

const KIND: Readonly<Record<Reason['type'], EdgeKind>> = {
  context: 'context',
  'continued-input': 'context',
  output: 'output',
  'tool-call-id': 'tool-call-id',
  'hand-off': 'hand-off',
  argument: 'hand-off',
  retry: 'temporal',
  'gap-opened': 'temporal',
  'gap-closed': 'temporal',
  'ended-before': 'temporal',
}

/** Strongest first. */
const STRENGTH: readonly Reason['type'][] = Object.keys(KIND) as Reason['type'][]

export function kindOf(cause: Cause): EdgeKind {
  return KIND[cause.reason.type]
}

export function isCausal(cause: Cause): boolean {
  return kindOf(cause) !== 'temporal'
}

/** The successor goes on with the predecessor's conversation. */
export function isLineage(cause: Cause): boolean {
  return isCausal(cause) && kindOf(cause) !== 'hand-off'
}

/** Negative when `a` is the stronger evidence; among equals, the later place in the messages is. */
export function compareStrength(a: Reason, b: Reason): number {
  return STRENGTH.indexOf(a.type) - STRENGTH.indexOf(b.type) || lastMessage(b) - lastMessage(a)
}

function lastMessage(reason: Reason): number {
  if (reason.type === 'context') return reason.length - 1
  return 'message' in reason ? reason.message : -1
}

/** The reason as a sentence about "it", the predecessor. Messages are counted from 0, as in `splices`. */
export function evidenceOf({ reason }: Cause, timeline: Timeline): string {
  switch (reason.type) {
    case 'context':
      return `messages[0…${reason.length - 1}] are its input and its output`
    case 'continued-input':
      return `messages[0…${reason.message - 1}] are its input, and messages[${reason.message}] stands where its output would`
    case 'output':
      return `messages[${reason.message}] is its output`
    case 'tool-call-id':
      return `messages[${reason.message}] carries its tool-call id ${reason.id}`
    case 'hand-off':
      return handOffEvidence(reason.message, reason.as, reason.characters)
    case 'argument':
      return `messages[${reason.message}] is an argument of its call of ${reason.tool}`
    case 'retry':
      return 'it failed with the same messages before this call was made'
    case 'ended-before':
      return 'it had ended before, and no message points to an earlier call'
    case 'gap-opened':
      return `this call ran between it and ${timeline.at(reason.next).id}`
    case 'gap-closed':
      return `it ran between ${timeline.at(reason.previous).id} and this call`
  }
}

function handOffEvidence(message: number, form: HandOffForm, characters: number): string {
  switch (form) {
    case 'part':
      return `messages[${message}] is its final text`
    case 'json-string':
      return `messages[${message}] holds its final text as a JSON string`
    case 'stretch':
      return `messages[${message}] contains its final text (${characters} characters)`
  }
}
