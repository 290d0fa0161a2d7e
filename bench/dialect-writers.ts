import {
  anthropicRequest,
  bedrock,
  describe,
  flattened,
  genAi,
  genAiAttributes,
  inOpenInference,
  inOpenLlmetry,
  json,
  langChain,
  langChainAnswer,
  openAi,
  openAiAnswer,
  openAiRequest,
  openAiTools,
  responses,
  SCHEMA,
  TOOL_NAMES,
} from './told-call.ts'
import type { Writer } from './written-session.ts'

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
  'Pydantic AI, version 1': (call) => ({
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
  'OpenTelemetry GenAI events': (call) => ({
    name: 'chat deep-1',
    attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.system': 'openai', 'gen_ai.request.model': 'deep-1' },
    events: [
      ...openAi(call).map(({ role, ...message }) => ({
        name: `gen_ai.${role}.message`,
        attributes: Object.fromEntries(
          Object.entries(message).map(([key, value]) => [key, typeof value === 'string' ? value : json(value)]),
        ),
      })),
      { name: 'gen_ai.choice', attributes: { index: '0', message: json(openAiAnswer(call)) } },
    ],
  }),
  OpenInference: (call) => ({
    name: 'ChatCompletion',
    attributes: {
      'openinference.span.kind': 'LLM',
      'llm.model_name': 'deep-1',
      ...flattened('llm.input_messages', openAi(call), inOpenInference),
      ...flattened('llm.output_messages', [openAiAnswer(call)], inOpenInference),
      ...Object.fromEntries(openAiTools.map((tool, k) => [`llm.tools.${k}.tool.json_schema`, json(tool)])),
    },
  }),
  'OpenInference, raw': (call) => ({
    name: 'ChatCompletion',
    attributes: {
      'openinference.span.kind': 'LLM',
      'input.value': json(openAiRequest(call)),
      'input.mime_type': 'application/json',
      'output.value': json({ id: call.answer.call.id, choices: [{ index: 0, message: openAiAnswer(call) }] }),
      'output.mime_type': 'application/json',
    },
  }),
  'OpenInference, raw and flattened': (call) => ({
    name: 'ChatCompletion',
    attributes: {
      'openinference.span.kind': 'LLM',
      'input.value': json(openAiRequest(call)),
      ...flattened('llm.input_messages', openAi(call), inOpenInference),
      'output.value': json({ id: call.answer.call.id, choices: [{ index: 0, message: openAiAnswer(call) }] }),
      ...flattened('llm.output_messages', [openAiAnswer(call)], inOpenInference),
    },
  }),
  'OpenInference, LangChain': (call) => ({
    name: 'ChatOpenAI',
    attributes: {
      'openinference.span.kind': 'LLM',
      'llm.model_name': 'deep-1',
      'input.value': json({ messages: [langChain(call)] }),
      'output.value': json({ generations: [[{ text: call.answer.text, message: langChainAnswer(call.answer) }]] }),
      'llm.invocation_parameters': json({ model: 'deep-1', tools: openAiTools }),
    },
  }),
  BeeAI: (call) => ({
    name: 'backend.openai.chat.start',
    scope: 'openinference.instrumentation.beeai',
    attributes: {
      'openinference.span.kind': 'LLM',
      'input.value': json(openAiRequest(call)),
      'output.value': json({ id: call.answer.call.id, choices: [{ index: 0, message: openAiAnswer(call) }] }),
    },
  }),
  OpenLLMetry: (call) => ({
    name: 'openai.chat',
    attributes: {
      'llm.request.type': 'chat',
      'gen_ai.request.model': 'deep-1',
      ...flattened('gen_ai.prompt', openAi(call), inOpenLlmetry),
      ...flattened('gen_ai.completion', [openAiAnswer(call)], inOpenLlmetry),
      ...Object.fromEntries(
        TOOL_NAMES.flatMap((name, k) => [
          [`llm.request.functions.${k}.name`, name],
          [`llm.request.functions.${k}.description`, describe(name)],
          [`llm.request.functions.${k}.parameters`, json(SCHEMA)],
        ]),
      ),
    },
  }),
  'OpenLLMetry, Responses API': (call) => ({
    name: 'chat deep-1',
    scope: '@traceloop/instrumentation-openai',
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'deep-1',
      'gen_ai.input.messages': json([{ role: 'user', parts: [{ type: 'text', content: json(responses(call)) }] }]),
      'gen_ai.output.messages': json([{ role: 'assistant', parts: [{ type: 'text', content: call.answer.text }] }]),
    },
  }),
  LangSmith: (call) => ({
    name: 'ChatOpenAI',
    attributes: {
      'langsmith.span.kind': 'llm',
      'gen_ai.request.model': 'deep-1',
      'gen_ai.prompt': json(openAiRequest(call)),
      'gen_ai.completion': json({ choices: [{ index: 0, message: openAiAnswer(call) }] }),
    },
  }),
  'LangSmith, LangChain': (call) => ({
    name: 'ChatOpenAI',
    attributes: {
      'langsmith.span.kind': 'llm',
      'gen_ai.request.model': 'deep-1',
      'gen_ai.prompt': json({ messages: [langChain(call)] }),
      'gen_ai.completion': json({ generations: [[{ text: call.answer.text, message: langChainAnswer(call.answer) }]] }),
    },
  }),
  OpenLIT: (call) => ({
    name: 'chat deep-1',
    attributes: {
      ...genAiAttributes(call),
      'telemetry.sdk.name': 'openlit',
      'gen_ai.input.messages': json([{ role: 'system', parts: [{ type: 'text', content: call.system }] }, ...genAi(call)]),
    },
  }),
  'Anthropic SDK': (call) => ({
    name: 'anthropic.messages.create',
    scope: 'com.anthropic.sdk.typescript',
    attributes: genAiAttributes(call),
  }),
  'Microsoft Agent Framework': (call) => ({
    name: 'chat deep-1',
    scope: 'agent_framework',
    attributes: genAiAttributes(call),
  }),
}
