import { expect, test } from 'vitest'
import { stdoutIsMachineReadable } from './stdout-owner.ts'

test.each<[unknown[], string | Record<string, string> | undefined, string]>([
  [['json'], undefined, '4.1.12'],
  [['default', ['junit', {}]], undefined, '4.1.12'],
  [['tap'], undefined, '4.1.12'],
  [['tap-flat'], 'out.tap', '4.1.12'],
  [['json', 'junit'], { json: 'out.json' }, '4.1.12'],
  [[['json', { outputFile: undefined }]], undefined, '4.1.12'],
  [[['json', { stdout: true }]], undefined, '5.1.2'],
  [['tap'], undefined, '5.1.2'],
])('%j with %j on Vitest %3$s prints a report for programs', (reporters, outputFile, version) => {
  expect(stdoutIsMachineReadable({ reporters, outputFile }, version)).toBe(true)
})

test.each<[unknown[], string | Record<string, string> | undefined, string]>([
  [['default'], undefined, '4.1.12'],
  [[['default', {}], 'blob', 'html', 'github-actions'], undefined, '4.1.12'],
  [['json'], 'out.json', '4.1.12'],
  [['json', ['junit', { outputFile: 'out.xml' }]], { json: 'out.json' }, '4.1.12'],
  [[{ onInit() {} }, './json'], undefined, '4.1.12'],
  [['json', 'junit'], undefined, '5.1.2'],
  [[['json', { stdout: true, outputFile: 'out.json' }]], undefined, '5.1.2'],
  [[['json', { stdout: true }]], 'out.json', '5.1.2'],
])('%j with %j on Vitest %3$s leaves stdout to people', (reporters, outputFile, version) => {
  expect(stdoutIsMachineReadable({ reporters, outputFile }, version)).toBe(false)
})
