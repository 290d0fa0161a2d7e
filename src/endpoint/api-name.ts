/** An API, by the end of its path: OpenAI chat completions, completions and responses, Anthropic messages. */
export type ApiName = 'chat' | 'completions' | 'responses' | 'messages'

export const API_NAMES = ['chat', 'completions', 'responses', 'messages'] as const satisfies readonly ApiName[]
