import type { Dialect } from './dialect.ts'
import { openInference } from './openinference.ts'

const SCOPE = 'openinference.instrumentation.beeai'
/** Names may be numbered: `backend.openai.chat.start-14`. */
const CALL = /^backend\..*chat\.start(?:-\d+)?$/
const NEXT = /^(?:backend\..*chat\.(?:start|success|finish|error)|tool\..*\.start|iteration)(?:-\d+)?$/

/**
 * BeeAI through OpenInference. Each of its spans is an event that goes on to the end of the run: one when a request is sent, with
 * the messages, others when pieces of the answer come.
 */
export const beeAi: Dialect = {
  name: 'BeeAI',
  mark: 'its name is backend.….chat.start in the scope openinference.instrumentation.beeai',
  advice: { content: 'BeeAI writes answers in pieces, into other spans. Instrument the client of the model instead.' },
  classify({ scope, name }) {
    if (scope !== SCOPE) return undefined
    return CALL.test(name) ? 'call' : 'structure'
  },
  endsCall: ({ scope, name }) => scope === SCOPE && NEXT.test(name),
  read: (span, content) => openInference.read(span, content),
}
