import { expect, test } from 'vitest'
import { readTranscript } from './transcript.ts'

test('turns begin at the start of a line', () => {
  expect(readTranscript('system: Be brief.\nuser: Hi\nuser of lakes: me\nassistant: None\ntool: [\n  1\n]')).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hi\nuser of lakes: me' },
    { role: 'assistant', content: null },
    { role: 'tool', content: '[\n  1\n]' },
  ])
})

test.each(['Hello', 'note: hi\nuser: hi', '', '{"user: ":1}'])('%j is no transcript', (text) => {
  expect(readTranscript(text)).toBeUndefined()
})
