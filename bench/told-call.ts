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

export const json = JSON.stringify
export const SCHEMA = { type: 'object', properties: { path: { type: 'string' }, text: { type: 'string' } }, required: ['path'] }
export const TOOL_NAMES = ['read_file', 'edit_file', 'run', 'search']
export const describe = (name: string) => `${name}: ${'what it does and when to use it. '.repeat(10)}`

export const openAi = ({ system, question, before }: ToldCall) => [
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
export const openAiAnswer = ({ answer: { text, call } }: ToldCall) => ({
  role: 'assistant',
  content: text,
  tool_calls: [{ id: call.id, type: 'function', function: { name: call.name, arguments: json(call.args) } }],
})
export const openAiTools = TOOL_NAMES.map((name) => ({
  type: 'function',
  function: { name, description: describe(name), parameters: SCHEMA },
}))
export const openAiRequest = (call: ToldCall) => ({ model: 'deep-1', messages: openAi(call), tools: openAiTools })

export const anthropicRequest = ({ system, question, before }: ToldCall) => ({
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

export const genAi = ({ question, before }: ToldCall) => [
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
export const genAiAttributes = (call: ToldCall) => ({
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

export const bedrock = ({ text, call }: Turn) => [
  { text },
  { toolUse: { toolUseId: call.id, name: call.name, input: call.args } },
]

/** OpenAI's chat messages as LangChain serialises its own. */
const lc = (kind: string, kwargs: object) => ({ lc: 1, type: 'constructor', id: ['langchain_core', 'messages', kind], kwargs })
export const langChainAnswer = ({ text, call }: Turn) =>
  lc('AIMessage', { content: text, tool_calls: [{ name: call.name, args: call.args, id: call.id, type: 'tool_call' }] })
export const langChain = ({ system, question, before }: ToldCall) => [
  lc('SystemMessage', { content: system }),
  lc('HumanMessage', { content: question }),
  ...before.flatMap((turn) => [
    langChainAnswer(turn),
    lc('ToolMessage', { content: turn.result, tool_call_id: turn.call.id, name: turn.call.name }),
  ]),
]

/** Items of OpenAI's Responses. */
export const responses = ({ question, before }: ToldCall) => [
  { role: 'user', content: question },
  ...before.flatMap(({ text, call, result }) => [
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] },
    { type: 'function_call', call_id: call.id, name: call.name, arguments: json(call.args) },
    { type: 'function_call_output', call_id: call.id, output: result },
  ]),
]

type ChatMessage = ReturnType<typeof openAi>[number] | ReturnType<typeof openAiAnswer>

/** Messages under one attribute for each of their fields. */
export function flattened(
  prefix: string,
  messages: readonly ChatMessage[],
  fieldsOf: (message: ChatMessage) => readonly (readonly [string, string])[],
): Record<string, string> {
  return Object.fromEntries(
    messages.flatMap((message, k) => fieldsOf(message).map(([name, value]) => [`${prefix}.${k}.${name}`, value])),
  )
}

type FlatField = readonly [string, string]
const resultOf = (message: ChatMessage) => ('tool_call_id' in message ? message.tool_call_id : '')
const callsOf = (message: ChatMessage) => ('tool_calls' in message ? message.tool_calls : [])

export const inOpenInference = (message: ChatMessage): FlatField[] => [
  ['message.role', message.role],
  ['message.content', message.content],
  ...(resultOf(message) === '' ? [] : [['message.tool_call_id', resultOf(message)] as const]),
  ...callsOf(message).flatMap((call, k): FlatField[] => [
    [`message.tool_calls.${k}.tool_call.id`, call.id],
    [`message.tool_calls.${k}.tool_call.function.name`, call.function.name],
    [`message.tool_calls.${k}.tool_call.function.arguments`, call.function.arguments],
  ]),
]

export const inOpenLlmetry = (message: ChatMessage): FlatField[] => [
  ['role', message.role],
  ['content', message.content],
  ...(resultOf(message) === '' ? [] : [['tool_call_id', resultOf(message)] as const]),
  ...callsOf(message).flatMap((call, k): FlatField[] => [
    [`tool_calls.${k}.id`, call.id],
    [`tool_calls.${k}.name`, call.function.name],
    [`tool_calls.${k}.arguments`, call.function.arguments],
  ]),
]
