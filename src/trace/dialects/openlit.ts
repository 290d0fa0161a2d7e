import { textAt } from '../attributes.ts'
import type { ContentReader } from '../content-reader.ts'
import type { Span } from '../span.ts'
import type { CallDraft, Dialect } from './dialect.ts'
import { otelGenAi } from './otel-genai.ts'
import { readTranscript } from './transcript.ts'

const PROMPT = 'gen_ai.content.prompt'
const COMPLETION = 'gen_ai.content.completion'

/**
 * OpenLIT: the OpenTelemetry conventions, with the system prompt twice. Its Python versions up to 2025 joined all messages into
 * one text, `system: … user: …`, in an event.
 */
export const openLit: Dialect = {
  name: 'OpenLIT',
  mark: '`gen_ai.operation.name` is chat and `telemetry.sdk.name` is openlit',
  advice: {
    content:
      'In OpenLIT, leave the capture of message content on: `capture_message_content=True` in Python, `traceContent: true` in JavaScript.',
    toolCallIds: 'OpenLIT leaves out the ids of tool results.',
  },
  exhaustive: true,
  classify({ attributes, resource }) {
    const isOpenLit = [attributes, resource].some((place) => textAt(place, 'telemetry.sdk.name') === 'openlit')
    return isOpenLit && textAt(attributes, 'gen_ai.operation.name') === 'chat' ? 'call' : undefined
  },
  read(span, content) {
    const draft = otelGenAi.read(span, content)
    return draft.messages.length > 0 ? draft : { ...draft, ...readEvents(span, content), richness: 'sdk' }
  },
}

function readEvents({ events }: Span, content: ContentReader): Pick<CallDraft, 'messages' | 'output'> {
  const textOf = (event: string, key: string) => textAt(events.find(({ name }) => name === event)?.attributes ?? new Map(), key)
  const prompt = textOf(PROMPT, 'gen_ai.prompt')
  const completion = textOf(COMPLETION, 'gen_ai.completion')
  return {
    messages: prompt === '' ? [] : content.messages(readTranscript(prompt) ?? prompt, PROMPT),
    // "None" is how Python prints that there was no text, but tool calls.
    output:
      completion === '' || completion === 'None' ? null : content.message('assistant', [{ type: 'text', text: completion }]),
  }
}
