import { textAt } from '../attributes.ts'
import { richer } from '../merge-drafts.ts'
import type { Dialect } from './dialect.ts'
import { otelGenAi } from './otel-genai.ts'
import { otelGenAiEvents } from './otel-genai-events.ts'

const SCOPE =
  /^(?:agent_framework|semantic_kernel|Microsoft\.SemanticKernel|(?:Experimental\.)?Microsoft\.(?:Extensions\.AI|Agents))/

const CALLS = new Set(['chat', 'chat.completions', 'text.completions', 'text_completion', 'completion'])

/**
 * Microsoft's Agent Framework, Extensions.AI and Semantic Kernel: the OpenTelemetry conventions of their day, in attributes or
 * in events. Clients of APIs that keep the conversation record only what was new in a request.
 */
export const agentFramework: Dialect = {
  name: 'Microsoft Agent Framework',
  mark: '`gen_ai.operation.name` is chat in the scope agent_framework, Microsoft.SemanticKernel or Microsoft.Extensions.AI',
  advice: {
    content:
      'Have sensitive data recorded: ENABLE_SENSITIVE_DATA=true in Agent Framework, `EnableSensitiveData` in Microsoft.Extensions.AI, SEMANTICKERNEL_EXPERIMENTAL_GENAI_ENABLE_OTEL_DIAGNOSTICS_SENSITIVE=true in Semantic Kernel.',
    history:
      'Use a chat client that sends the whole conversation, not one whose service keeps it (Assistants, Responses with `store`).',
  },
  exhaustive: true,
  classify(span) {
    if (!SCOPE.test(span.scope)) return undefined
    const operation = textAt(span.attributes, 'gen_ai.operation.name')
    if (CALLS.has(operation)) return 'call'
    // Semantic Kernel once named no operation.
    const names = new Set(span.events.map(({ name }) => name))
    return operation === '' && (names.has('gen_ai.choice') || names.has('gen_ai.content.prompt')) ? 'call' : undefined
  },
  read: (span, content) => richer(otelGenAi.read(span, content), otelGenAiEvents.read(span, content)),
}
