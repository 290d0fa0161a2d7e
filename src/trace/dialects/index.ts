import type { Dialect } from './dialect.ts'
import { otelGenAi } from './otel-genai.ts'

/** All are asked; the order decides only between drafts of equal richness. */
export const dialects: readonly Dialect[] = [otelGenAi]

export type { Advice, CallDraft, Dialect } from './dialect.ts'
