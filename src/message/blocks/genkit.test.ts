import { expect, test } from 'vitest'
import { read } from './blocks.fixture.ts'

test('reads tool requests and responses, media, reasoning and data', () => {
  const messages = [
    {
      role: 'model',
      content: [{ reasoning: 'A lake.' }, { toolRequest: { name: 'depth', ref: 'c1', input: { lake: 'Thun' } } }],
    },
    { role: 'tool', content: [{ toolResponse: { name: 'depth', ref: 'c1', output: { metres: 217 } } }] },
    { role: 'user', content: [{ media: { url: 'data:image/png;base64,aGk=' } }, { data: { a: 1 } }, { text: 'ok' }] },
  ]
  expect(read(messages)).toEqual({
    messages: [
      'assistant: (A lake.) | c1=depth({"lake":"Thun"})',
      'tool: c1→{"metres":217}',
      'user: <file image/png aGk=> | {"a":1} | ok',
    ],
    problems: [],
  })
})
