/** Chunks and whole streams as an OpenAI-compatible server sends them. */

export function event(data: unknown): string {
  return `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
}

export function contentChunk(content: string): unknown {
  return {
    id: 'c',
    object: 'chat.completion.chunk',
    model: 'served',
    choices: [{ index: 0, delta: { content }, finish_reason: null }],
  }
}

export const roleEvent = event({ choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] })
export const stopEvent = event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
export const usageEvent = event({
  choices: [],
  usage: { prompt_tokens: 9, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } },
})
export const doneEvent = event('[DONE]')

/** `text('a', 'b')`: a complete answer in two chunks of output. */
export function streamOf(...contents: readonly string[]): string {
  return `${roleEvent}${contents.map((content) => event(contentChunk(content))).join('')}${stopEvent}${usageEvent}${doneEvent}`
}

export function wholeAnswer(content: string): string {
  return JSON.stringify({
    model: 'served',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  })
}

/** A response head for a raw socket, and one HTTP chunk of its body. */
export const streamHead = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n'
export const streamEnd = '0\r\n\r\n'

export function httpChunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
}
