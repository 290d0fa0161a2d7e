import { agentFramework } from './agent-framework.ts'
import { anthropicSdk } from './anthropic-sdk.ts'
import { beeAi } from './beeai.ts'
import { claudeCode } from './claude-code.ts'
import type { Dialect } from './dialect.ts'
import { genkit } from './genkit.ts'
import { googleAdk } from './google-adk.ts'
import { langfuse } from './langfuse.ts'
import { langSmith } from './langsmith.ts'
import { logfire } from './logfire.ts'
import { mastra } from './mastra.ts'
import { mlflow } from './mlflow.ts'
import { openInference } from './openinference.ts'
import { openLit } from './openlit.ts'
import { otelGenAi } from './otel-genai.ts'
import { otelGenAiEvents } from './otel-genai-events.ts'
import { pydanticAi } from './pydantic-ai.ts'
import { strands } from './strands.ts'
import { traceloop } from './traceloop.ts'
import { traceloopResponses } from './traceloop-responses.ts'
import { vercelAiSdk } from './vercel-ai-sdk.ts'

/**
 * All are asked. The order decides between drafts of equal richness, and whose advice is given: what many recorders write
 * comes after what one of them does.
 */
export const dialects: readonly Dialect[] = [
  vercelAiSdk,
  googleAdk,
  mastra,
  strands,
  pydanticAi,
  logfire,
  mlflow,
  claudeCode,
  beeAi,
  genkit,
  openLit,
  anthropicSdk,
  agentFramework,
  langSmith,
  openInference,
  traceloop,
  traceloopResponses,
  otelGenAi,
  otelGenAiEvents,
  // Keeps what others recorded, too.
  langfuse,
]

export type { Advice, CallDraft, Dialect } from './dialect.ts'
