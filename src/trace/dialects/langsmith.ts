import { textAt } from '../attributes.ts'
import type { ContentReader } from '../content-reader.ts'
import type { AttributeValue, Span } from '../span.ts'
import type { CallDraft, Dialect } from './dialect.ts'
import { readGenAiParams, readGenAiUsage } from './gen-ai-request.ts'
import { langChainOutput, langChainRequest } from './langchain-run.ts'
import { objectAt, requestAt } from './object-at.ts'
import { readProviderParams } from './provider-params.ts'
import { isProviderRequest, readProviderRequest } from './provider-request.ts'
import { readProviderResponse } from './provider-response.ts'

/** LangSmith's OpenTelemetry export: the inputs and outputs of its runs as JSON, in `gen_ai.prompt` and `gen_ai.completion`. */
export const langSmith: Dialect = {
  name: 'LangSmith',
  mark: '`langsmith.span.kind` is llm, with the input in `gen_ai.prompt`',
  advice: { content: 'In LangSmith, leave LANGSMITH_HIDE_INPUTS and LANGSMITH_HIDE_OUTPUTS unset.' },
  classify({ attributes }) {
    const kind = textAt(attributes, 'langsmith.span.kind').toLowerCase()
    if (kind === 'llm') return 'call'
    return kind === '' ? undefined : 'structure'
  },
  read({ attributes }: Span, content: ContentReader): CallDraft {
    const inputs = requestAt(attributes, 'gen_ai.prompt', content)
    const request = inputs === undefined ? undefined : (langChainRequest(inputs) ?? inputs)
    const read = isProviderRequest(request) ? readProviderRequest(request, content, 'gen_ai.prompt') : undefined
    const invocation = objectAt(attributes, 'langsmith.metadata.invocation_params', content)
    const outputs = objectAt(attributes, 'gen_ai.completion', content)
    const generated = outputs === undefined ? undefined : langChainOutput(outputs)
    const response = readProviderResponse(generated ?? attributes.get('gen_ai.completion'), content, 'gen_ai.completion')
    return {
      richness: 'raw',
      model: textAt(attributes, 'gen_ai.request.model') || read?.model || response.model,
      responseId: textAt(attributes, 'gen_ai.response.id') || response.responseId,
      messages: read?.messages ?? [],
      output: generated === undefined ? response.output : content.output(generated as AttributeValue, 'gen_ai.completion'),
      tools:
        read !== undefined && read.tools.length > 0
          ? read.tools
          : content.tools(invocation?.tools as AttributeValue | undefined, 'langsmith.metadata.invocation_params.tools'),
      params: {
        ...readProviderParams(invocation === undefined ? [] : [invocation]),
        ...read?.params,
        ...readGenAiParams(attributes),
      },
      usage: { ...response.usage, ...readGenAiUsage(attributes) },
    }
  },
}
