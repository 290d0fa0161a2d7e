import { isJsonObject, type JsonObject, type Message, type ToolDefinition, textOf } from '../../message/index.ts'
import { textAt } from '../attributes.ts'
import type { ContentReader } from '../content-reader.ts'
import type { Attributes } from '../span.ts'
import type { Dialect } from './dialect.ts'
import { otelGenAi } from './otel-genai.ts'

const EVENTS = 'events'
const PARAMETERS = 'model_request_parameters'

/**
 * Pydantic AI, also through Logfire: the OpenTelemetry conventions since version 2, and before them a list of events in one
 * attribute. Tools stand in the parameters of the request; a structured answer is a call of the tool `final_result`.
 */
export const pydanticAi: Dialect = {
  name: 'Pydantic AI',
  mark: '`gen_ai.operation.name` is chat in the scope pydantic-ai, with the input in `gen_ai.input.messages` or `events`',
  advice: { content: 'In Pydantic AI, set `InstrumentationSettings(include_content=True)`, the default.' },
  exhaustive: true,
  classify({ scope, attributes }) {
    const isPydantic = scope === 'pydantic-ai' || textAt(attributes, PARAMETERS).startsWith('{')
    return isPydantic && textAt(attributes, 'gen_ai.operation.name') === 'chat' ? 'call' : undefined
  },
  read(span, content) {
    const { attributes } = span
    const draft = otelGenAi.read(span, content)
    const events = readEvents(attributes, content)
    const tools = readTools(attributes, content)
    return {
      ...draft,
      messages: draft.messages.length > 0 ? draft.messages : events.messages,
      output: draft.output ?? events.output,
      // `gen_ai.tool.definitions` has names alone, unless asked for more.
      tools: tools.length > 0 ? tools : draft.tools,
    }
  },
}

/** `{ "event.name": "gen_ai.user.message", role, content, … }`; the choice has its message inside. */
function readEvents(attributes: Attributes, content: ContentReader): { messages: readonly Message[]; output: Message | null } {
  const events = content.request(attributes.get(EVENTS), EVENTS, { isMessage: (event) => !isChoice(event) })
  const choices = Array.isArray(events) ? events.filter(isJsonObject).filter(isChoice) : []
  return { messages: content.messages(events, EVENTS), output: choices.length === 0 ? null : content.output(choices, EVENTS) }
}

function isChoice(event: JsonObject): boolean {
  return event['event.name'] === 'gen_ai.choice'
}

/** What functions the model may call, and how it may answer. */
function readTools(attributes: Attributes, content: ContentReader): readonly ToolDefinition[] {
  const parameters = content.data(attributes.get(PARAMETERS), PARAMETERS)
  if (!isJsonObject(parameters)) return []
  const { function_tools: functions, output_tools: outputs } = parameters
  const list = [functions, outputs].flatMap((tools) => (Array.isArray(tools) ? tools.filter(isJsonObject) : []))
  return content.tools(
    list.filter(({ name }) => textOf(name) !== ''),
    PARAMETERS,
  )
}
