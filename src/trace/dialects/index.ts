import type { Dialect } from './dialect.ts'
import { googleAdk } from './google-adk.ts'
import { langfuse } from './langfuse.ts'
import { mastra } from './mastra.ts'
import { otelGenAi } from './otel-genai.ts'
import { vercelAiSdk } from './vercel-ai-sdk.ts'

/**
 * All are asked. The order decides between drafts of equal richness, and whose advice is given: what many recorders write
 * comes after what one of them does.
 */
export const dialects: readonly Dialect[] = [vercelAiSdk, googleAdk, langfuse, mastra, otelGenAi]

export type { Advice, CallDraft, Dialect } from './dialect.ts'
