import { context, SpanKind, trace } from '@opentelemetry/api'
import { BasicTracerProvider, SimpleSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base'

const message = (role: string, content: string) => ({ role, parts: [{ type: 'text', content }] })

const FIRST = [message('user', 'Where does the night ferry leave?')]
const SECOND = [...FIRST, message('assistant', 'From pier four.'), message('user', 'And when?')]

/** An agent of two calls in one trace, recorded with the real SDK. */
export async function runAgent(exporter: SpanExporter, conversation: string): Promise<void> {
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  const tracer = provider.getTracer('ferry-agent')
  const agent = tracer.startSpan('invoke_agent ferry', {
    attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.conversation.id': conversation },
  })
  const inside = trace.setSpan(context.active(), agent)
  // The SDK's clock may give both calls one millisecond, and who came first would be open.
  const startMs = Date.now()
  const call = (secondsIn: number, input: object, output: string) =>
    tracer
      .startSpan(
        'chat ferry-1',
        {
          kind: SpanKind.CLIENT,
          startTime: startMs + secondsIn * 1_000,
          attributes: {
            'gen_ai.operation.name': 'chat',
            'gen_ai.request.model': 'ferry-1',
            'gen_ai.input.messages': JSON.stringify(input),
            'gen_ai.output.messages': JSON.stringify([message('assistant', output)]),
            'gen_ai.usage.output_tokens': 4,
          },
        },
        inside,
      )
      .end(startMs + secondsIn * 1_000 + 500)
  call(0, FIRST, 'From pier four.')
  call(1, SECOND, 'At ten past nine.')
  agent.end()
  await provider.forceFlush()
  await provider.shutdown()
}
