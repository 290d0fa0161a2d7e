import { textAt } from '../attributes.ts'
import type { Dialect } from './dialect.ts'
import { otelGenAi } from './otel-genai.ts'

/** The spans that Anthropic's own SDKs write: the OpenTelemetry conventions, without content unless asked for it. */
export const anthropicSdk: Dialect = {
  name: 'Anthropic SDK',
  mark: '`gen_ai.operation.name` is chat in a scope that begins with com.anthropic.sdk',
  advice: {
    content: 'For the Anthropic SDK, set ANTHROPIC_OPEN_TELEMETRY_TRACES_CONTENT_MODE=content.',
    tools: 'The Anthropic SDK does not record them.',
  },
  exhaustive: true,
  classify({ scope, attributes }) {
    return scope.startsWith('com.anthropic.sdk') && textAt(attributes, 'gen_ai.operation.name') === 'chat' ? 'call' : undefined
  },
  read: (span, content) => otelGenAi.read(span, content),
}
