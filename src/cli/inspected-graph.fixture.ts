import { buildGraph, type ReplayGraph } from '../graph/index.ts'
import { assistant, sessionOf, system, toolCall, toolResult, user } from '../graph/session.fixture.ts'

const ANSWER = 'The parcel left the depot on Tuesday and has been waiting at the "parcel shop" in the station since noon.'

/** A support agent that asks a courier's agent, whose first attempt fails. */
export function supportGraph(): ReplayGraph {
  const question = [system('You help customers.'), user('Where is my parcel?')]
  const ask = assistant('', toolCall('ask_courier', '{"order":7}', 'call_1'), toolCall('ask_courier', '{"order":8}', 'call_2'))
  const session = sessionOf({
    lead1: { at: [0, 1_200], in: question, out: ask },
    try: { at: [1_300, 1_900], in: [user('Track order 7')], out: null, error: 'overloaded' },
    again: { at: [2_400, 4_400.5], in: [user('Track order 7')], out: ANSWER },
    title: { at: [1_250, 5_000], in: [user('Name this chat')], out: null },
    lead2: {
      at: [4_500, 62_000],
      in: [...question, ask, toolResult(JSON.stringify({ answer: ANSWER }), 'call_1'), toolResult('none', 'call_2')],
      out: 'It is at the station.',
    },
  })
  const [first, ...calls] = session.calls
  if (first === undefined) throw new RangeError('a session needs a call')
  const lead = {
    ...first,
    agent: 'support',
    tools: [{ name: 'ask_courier' }, { name: 'refund' }],
    usage: { inputTokens: 12_345, cachedInputTokens: 12_000, outputTokens: 42 },
  }
  return buildGraph({ ...session, id: 'chat-7', attributes: { tenant: 'north' }, calls: [lead, ...calls] })
}

/** A session and calls whose names hold what terminals, Mermaid and JSON treat specially. */
export function strangeGraph(): ReplayGraph {
  const graph = buildGraph(
    sessionOf({ 'a"];b[': { at: [0, 1] }, '`end`\u001b[31m#1 <b>&\u2028': { at: [2, 3] }, plain: { at: [4, 5] } }),
  )
  return { ...graph, session: { ...graph.session, id: 'weird "id"\n\u001b[2J' } }
}
