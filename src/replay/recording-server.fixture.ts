import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A message as it stands on the wire. */
export interface WireMessage {
  readonly role: string
  readonly content?: unknown
  readonly tool_calls?: readonly {
    readonly id: string
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
  readonly tool_call_id?: string
}

export interface WireBody {
  readonly model: string
  readonly messages: readonly WireMessage[]
  readonly tools?: readonly unknown[]
  readonly tool_choice?: unknown
  readonly max_tokens?: number
  readonly stream?: boolean
}

export type WireAnswer =
  | { readonly content: string }
  | { readonly tool_calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[] }

export interface RecordingServer {
  readonly url: string
  /** In order of arrival. */
  readonly bodies: readonly WireBody[]
  close(): Promise<void>
}

/** A chat-completions server that keeps every request body and answers as told, as a stream. */
export async function startRecordingServer(
  answer: (body: WireBody) => WireAnswer | Promise<WireAnswer>,
): Promise<RecordingServer> {
  const bodies: WireBody[] = []
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await textOf(request)) as WireBody
    bodies.push(body)
    const message = await answer(body)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const chunk of chunksOf(message)) response.write(`data: ${JSON.stringify(chunk)}\n\n`)
    response.end('data: [DONE]\n\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    bodies,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function chunksOf(answer: WireAnswer) {
  const delta =
    'content' in answer
      ? { role: 'assistant', content: answer.content }
      : {
          role: 'assistant',
          tool_calls: answer.tool_calls.map((call, index) => ({
            index,
            id: call.id,
            type: 'function',
            function: { name: call.name, arguments: call.arguments },
          })),
        }
  return [
    { choices: [{ index: 0, delta, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'content' in answer ? 'stop' : 'tool_calls' }] },
    { choices: [], usage: { prompt_tokens: 10, completion_tokens: 5 } },
  ]
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString('utf8')
}
