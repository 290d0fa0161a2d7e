import { mulberry32, prose, sourceText } from './synthetic-text.ts'

/** A coding session as told to any recorder: each call carries the whole history. */
export interface Turn {
  readonly text: string
  readonly call: { readonly id: string; readonly name: string; readonly args: object }
  readonly result: string
}

/** One call: the turns before it, and its own. */
export interface ToldCall {
  readonly system: string
  readonly question: string
  readonly before: readonly Turn[]
  readonly answer: Turn
}

export interface WrittenSpan {
  readonly name: string
  readonly scope?: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly events?: readonly { readonly name: string; readonly attributes: Readonly<Record<string, unknown>> }[]
}

type Writer = (call: ToldCall) => WrittenSpan

const json = JSON.stringify
const SCHEMA = { type: 'object', properties: { path: { type: 'string' }, text: { type: 'string' } }, required: ['path'] }
const TOOL_NAMES = ['read_file', 'edit_file', 'run', 'search']
const describe = (name: string) => `${name}: ${'what it does and when to use it. '.repeat(10)}`

const openAi = ({ system, question, before }: ToldCall) => [
  { role: 'system', content: system },
  { role: 'user', content: question },
  ...before.flatMap(({ text, call, result }) => [
    {
      role: 'assistant',
      content: text,
      tool_calls: [{ id: call.id, type: 'function', function: { name: call.name, arguments: json(call.args) } }],
    },
    { role: 'tool', tool_call_id: call.id, content: result },
  ]),
]
const openAiAnswer = ({ answer: { text, call } }: ToldCall) => ({
  role: 'assistant',
  content: text,
  tool_calls: [{ id: call.id, type: 'function', function: { name: call.name, arguments: json(call.args) } }],
})
const openAiTools = TOOL_NAMES.map((name) => ({
  type: 'function',
  function: { name, description: describe(name), parameters: SCHEMA },
}))
const openAiRequest = (call: ToldCall) => ({ model: 'deep-1', messages: openAi(call), tools: openAiTools })

const anthropicRequest = ({ system, question, before }: ToldCall) => ({
  model: 'deep-1',
  system: [{ type: 'text', text: system }],
  messages: [
    { role: 'user', content: question },
    ...before.flatMap(({ text, call, result }) => [
      {
        role: 'assistant',
        content: [
          { type: 'text', text },
          { type: 'tool_use', id: call.id, name: call.name, input: call.args },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: result }] },
    ]),
  ],
  tools: TOOL_NAMES.map((name) => ({ name, description: describe(name), input_schema: SCHEMA })),
})

const genAi = ({ question, before }: ToldCall) => [
  { role: 'user', parts: [{ type: 'text', content: question }] },
  ...before.flatMap(({ text, call, result }) => [
    {
      role: 'assistant',
      parts: [
        { type: 'text', content: text },
        { type: 'tool_call', id: call.id, name: call.name, arguments: call.args },
      ],
    },
    { role: 'tool', parts: [{ type: 'tool_call_response', id: call.id, response: result }] },
  ]),
]
const genAiAttributes = (call: ToldCall) => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.request.model': 'deep-1',
  'gen_ai.system_instructions': json([{ type: 'text', content: call.system }]),
  'gen_ai.input.messages': json(genAi(call)),
  'gen_ai.output.messages': json([
    {
      role: 'assistant',
      parts: [
        { type: 'text', content: call.answer.text },
        { type: 'tool_call', id: call.answer.call.id, name: call.answer.call.name, arguments: call.answer.call.args },
      ],
    },
  ]),
  'gen_ai.tool.definitions': json(openAiTools),
})

const bedrock = ({ text, call }: Turn) => [{ text }, { toolUse: { toolUseId: call.id, name: call.name, input: call.args } }]

/** How each recorder writes a call. */
export const WRITERS: Readonly<Record<string, Writer>> = {
  'OpenTelemetry GenAI': (call) => ({ name: 'chat deep-1', attributes: genAiAttributes(call) }),
  'Vercel AI SDK': (call) => ({
    name: 'ai.generateText.doGenerate',
    scope: 'ai',
    attributes: {
      'ai.operationId': 'ai.generateText.doGenerate',
      'ai.prompt.messages': json([
        { role: 'system', content: call.system },
        { role: 'user', content: [{ type: 'text', text: call.question }] },
        ...call.before.flatMap(({ text, call: { id, name, args }, result }) => [
          {
            role: 'assistant',
            content: [
              { type: 'text', text },
              { type: 'tool-call', toolCallId: id, toolName: name, input: args },
            ],
          },
          {
            role: 'tool',
            content: [{ type: 'tool-result', toolCallId: id, toolName: name, output: { type: 'text', value: result } }],
          },
        ]),
      ]),
      'ai.prompt.tools': TOOL_NAMES.map((name) =>
        json({ type: 'function', name, description: describe(name), inputSchema: SCHEMA }),
      ),
      'ai.response.text': call.answer.text,
      'ai.response.toolCalls': json([
        { toolCallId: call.answer.call.id, toolName: call.answer.call.name, input: json(call.answer.call.args) },
      ]),
    },
  }),
  'Google ADK': (call) => ({
    name: 'call_llm',
    scope: 'gcp.vertex.agent',
    attributes: {
      'gen_ai.system': 'gcp.vertex.agent',
      'gcp.vertex.agent.llm_request': json({
        model: 'deep-1',
        contents: [
          { role: 'user', parts: [{ text: call.question }] },
          ...call.before.flatMap(({ text, call: { name, args }, result }) => [
            { role: 'model', parts: [{ text }, { functionCall: { name, args } }] },
            { role: 'user', parts: [{ functionResponse: { name, response: { result } } }] },
          ]),
        ],
        config: {
          systemInstruction: call.system,
          tools: [
            { functionDeclarations: TOOL_NAMES.map((name) => ({ name, description: describe(name), parameters: SCHEMA })) },
          ],
        },
      }),
      'gcp.vertex.agent.llm_response': json({
        content: {
          role: 'model',
          parts: [{ text: call.answer.text }, { functionCall: { name: call.answer.call.name, args: call.answer.call.args } }],
        },
      }),
    },
  }),
  Langfuse: (call) => ({
    name: 'generation',
    attributes: {
      'langfuse.observation.type': 'generation',
      'langfuse.observation.input': json(openAiRequest(call)),
      'langfuse.observation.output': json(openAiAnswer(call)),
    },
  }),
  Mastra: (call) => ({
    name: 'step',
    attributes: {
      'mastra.span.type': 'model_step',
      input: json({ body: openAiRequest(call) }),
      output: json({
        text: call.answer.text,
        toolCalls: [{ toolCallId: call.answer.call.id, toolName: call.answer.call.name, args: call.answer.call.args }],
      }),
    },
  }),
  'Strands Agents': (call) => ({
    name: 'chat',
    attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.system': 'strands-agents', 'gen_ai.request.model': 'deep-1' },
    events: [
      { name: 'gen_ai.system.message', attributes: { content: json([{ text: call.system }]) } },
      { name: 'gen_ai.user.message', attributes: { content: json([{ text: call.question }]) } },
      ...call.before.flatMap((turn) => [
        { name: 'gen_ai.assistant.message', attributes: { content: json(bedrock(turn)) } },
        {
          name: 'gen_ai.tool.message',
          attributes: { content: json([{ toolResult: { toolUseId: turn.call.id, content: [{ text: turn.result }] } }]) },
        },
      ]),
      { name: 'gen_ai.choice', attributes: { message: json(bedrock(call.answer)) } },
    ],
  }),
  'Pydantic AI': (call) => ({
    name: 'chat deep-1',
    scope: 'pydantic-ai',
    attributes: {
      ...genAiAttributes(call),
      model_request_parameters: json({
        function_tools: TOOL_NAMES.map((name) => ({ name, description: describe(name), parameters_json_schema: SCHEMA })),
      }),
    },
  }),
  'Pydantic AI 1': (call) => ({
    name: 'chat deep-1',
    scope: 'pydantic-ai',
    attributes: {
      'gen_ai.operation.name': 'chat',
      events: json([
        ...openAi(call).map((message) => ({ ...message, 'event.name': `gen_ai.${message.role}.message` })),
        { 'event.name': 'gen_ai.choice', message: openAiAnswer(call) },
      ]),
    },
  }),
  Logfire: (call) => ({
    name: 'Chat Completion',
    scope: 'logfire.openai',
    attributes: { request_data: json(openAiRequest(call)), response_data: json({ message: openAiAnswer(call) }) },
  }),
  MLflow: (call) => ({
    name: 'Completions',
    attributes: {
      'mlflow.spanType': '"CHAT_MODEL"',
      'mlflow.spanInputs': json(openAiRequest(call)),
      'mlflow.spanOutputs': json({ choices: [{ message: openAiAnswer(call) }] }),
    },
  }),
  'Claude Code': (call) => ({
    name: 'claude_code.llm_request',
    attributes: { model: 'deep-1' },
    events: [
      { name: 'api_request_body', attributes: { body: json(anthropicRequest(call)) } },
      {
        name: 'api_response_body',
        attributes: {
          body: json({
            role: 'assistant',
            content: [
              { type: 'text', text: call.answer.text },
              { type: 'tool_use', id: call.answer.call.id, name: call.answer.call.name, input: call.answer.call.args },
            ],
          }),
        },
      },
    ],
  }),
  Genkit: (call) => ({
    name: 'model',
    attributes: {
      'genkit:type': 'action',
      'genkit:metadata:subtype': 'model',
      'genkit:input': json({
        messages: [
          { role: 'system', content: [{ text: call.system }] },
          { role: 'user', content: [{ text: call.question }] },
          ...call.before.flatMap(({ text, call: { id, name, args }, result }) => [
            { role: 'model', content: [{ text }, { toolRequest: { ref: id, name, input: args } }] },
            { role: 'tool', content: [{ toolResponse: { ref: id, name, output: result } }] },
          ]),
        ],
        tools: TOOL_NAMES.map((name) => ({ name, description: describe(name), inputSchema: SCHEMA })),
      }),
      'genkit:output': json({
        message: {
          role: 'model',
          content: [
            { text: call.answer.text },
            { toolRequest: { ref: call.answer.call.id, name: call.answer.call.name, input: call.answer.call.args } },
          ],
        },
      }),
    },
  }),
}

/** The session of one recorder as OTLP/JSON. */
export function writtenSession(writer: Writer, calls: number, seed: number): Uint8Array {
  const random = mulberry32(seed)
  const system = prose(random, 9_000)
  const question = prose(random, 600)
  const turns: Turn[] = []
  const spans = Array.from({ length: calls }, (_, index) => {
    const args = { path: `src/module-${index}.ts`, text: sourceText(random, 900) }
    const answer = {
      text: prose(random, 200),
      call: { id: `call_${index}`, name: 'edit_file', args },
      result: sourceText(random, 4_200),
    }
    const span = otlpSpan(writer({ system, question, before: [...turns], answer }), index)
    turns.push(answer)
    return span
  })
  return Buffer.from(
    json({
      resourceSpans: spans.map(({ scope, ...span }) => ({ scopeSpans: [{ scope: { name: scope ?? '' }, spans: [span] }] })),
    }),
  )
}

function otlpSpan({ name, scope, attributes, events = [] }: WrittenSpan, index: number) {
  const startMs = 1_780_000_000_000 + index * 10_000
  return {
    scope,
    traceId: '5b8efff798038103d269b633813fc60c',
    spanId: (0x1000_0000_0000_0000n + BigInt(index)).toString(16),
    name,
    startTimeUnixNano: `${startMs}000000`,
    endTimeUnixNano: `${startMs + 5_000}000000`,
    attributes: keyValues(attributes),
    events: events.map((event) => ({ name: event.name, attributes: keyValues(event.attributes) })),
  }
}

function keyValues(attributes: Readonly<Record<string, unknown>>) {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: Array.isArray(value)
      ? { arrayValue: { values: value.map((item) => ({ stringValue: item })) } }
      : { stringValue: value },
  }))
}
