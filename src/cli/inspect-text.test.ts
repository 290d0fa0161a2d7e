import { expect, test } from 'vitest'
import { buildGraph } from '../graph/index.ts'
import { assistant, type CallSketch, sessionOf, user } from '../graph/session.fixture.ts'
import { renderInspectText } from './inspect-text.ts'
import { strangeGraph, supportGraph } from './inspected-graph.fixture.ts'

test('shows calls in order, what each waits for and why, and what it takes over', () => {
  expect(renderInspectText([supportGraph()], [])).toMatchInlineSnapshot(`
    "chat-7  5 calls · 4 steps of up to 2 calls · 1m 2s · tokens 12,345 (12,000 cached) in, 42 out
    session.json

    #1  lead1  chat lead1  support  test-model  at 0ms for 1.2s
        starts at once
        2 messages, 2 tools · calls ask_courier ×2 · tokens 12,345 (12,000 cached) in, 42 out

    #2  title  chat title  test-model  at 1.25s for 3.75s
        waits 50ms after #1  temporal  it had ended before, and no message points to an earlier call
        1 message
        its output was not recorded

    #3  try  chat try  test-model  at 1.3s for 600ms
        waits 100ms after #1  temporal  this call ran between it and lead2
        1 message
        failed: overloaded

    #4  again  chat again  test-model  at 2.4s for 2s
        waits 500ms after #3  temporal  it failed with the same messages before this call was made
        1 message

    #5  lead2  chat lead2  test-model  at 4.5s for 57.5s
        waits 99.5ms after #4  hand-off  messages[3] contains its final text (107 characters)
        live  messages[2] ← #1, messages[3] ← text of #4
        5 messages
    "
  `)
})

test('shows warnings, and totals when there are several sessions', () => {
  const graph = buildGraph(sessionOf({ only: { at: [0, 10] } }))
  const warnings = [
    { code: 'invalid-trace-skipped', message: 'Not JSON.', where: 'traces/b.json' },
    { code: 'unreadable-message', message: 'A message has no role.', count: 3 },
  ]
  expect(renderInspectText([graph, graph], warnings)).toMatchInlineSnapshot(`
    "session  1 call · 1 step · 10ms
    session.json

    #1  only  chat only  test-model  at 0ms for 10ms
        starts at once
        1 message

    session  1 call · 1 step · 10ms
    session.json

    #1  only  chat only  test-model  at 0ms for 10ms
        starts at once
        1 message

    2 warnings
      traces/b.json: Not JSON.
      A message has no role. (×3)

    2 sessions, 2 calls
    "
  `)
})

test('shortens long lists', () => {
  const history = [user('1')]
  const sketches: Record<string, CallSketch> = {}
  for (let k = 0; k < 20; k++) {
    sketches[`turn${k}`] = { at: [k * 10, k * 10 + 5], in: [...history], out: `answer ${k}` }
    history.push(assistant(`answer ${k}`), user('more'))
  }
  for (let k = 0; k < 12; k++) sketches[`branch${k}`] = { at: [300, 310 + k] }
  sketches.join = { at: [400, 500] }
  const text = renderInspectText([buildGraph(sessionOf(sketches))], [])
  expect(text.slice(text.indexOf('#20'), text.indexOf('#21'))).toMatchInlineSnapshot(`
    "#20  turn19  chat turn19  test-model  at 190ms for 5ms
         waits 5ms after #19  context  messages[0…37] are its input and its output
         live  messages[1] ← #1, messages[3] ← #2, messages[5] ← #3, messages[7] ← #4, … 11 more …, messages[31] ← #16, messages[33] ← #17, messages[35] ← #18, messages[37] ← #19
         39 messages

    "
  `)
  expect(text.slice(text.indexOf('#33'))).toMatchInlineSnapshot(`
    "#33  join  chat join  test-model  at 400ms for 100ms
         waits 79ms after #21  temporal  it had ended before, and no message points to an earlier call
                    and   #22  temporal  it had ended before, and no message points to an earlier call
                    and   #23  temporal  it had ended before, and no message points to an earlier call
                    and   #24  temporal  it had ended before, and no message points to an earlier call
                    and   #25  temporal  it had ended before, and no message points to an earlier call
                    … 3 more
                    and   #29  temporal  it had ended before, and no message points to an earlier call
                    and   #30  temporal  it had ended before, and no message points to an earlier call
                    and   #31  temporal  it had ended before, and no message points to an earlier call
                    and   #32  temporal  it had ended before, and no message points to an earlier call
         1 message
    "
  `)
})

test('nothing from a trace can steer the terminal', () => {
  const text = renderInspectText([strangeGraph()], [{ code: 'x', message: 'bad\u001b[2J', where: 'a\rb' }])
  expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
})

test('emphasis changes nothing but the look', () => {
  const tag = (name: string) => (text: string) => `<${name}>${text}</${name}>`
  const styler = { bold: tag('bold'), dim: tag('dim'), good: tag('good'), bad: tag('bad'), warn: tag('warn') }
  const styled = renderInspectText([supportGraph()], [], { styler })
  expect(styled).toContain('<bold>lead1</bold>')
  expect(styled).toContain('<bad>failed: overloaded</bad>')
  expect(styled.replace(/<\/?\w+>/g, '')).toBe(renderInspectText([supportGraph()], []))
})
