import { expect, test } from 'vitest'
import { traceFiles } from '../fixtures/stories/index.ts'

/** Rewrite them with `npx vitest run src/recorded-traces.test.ts -u` after a story has changed. */
test.each(traceFiles())('fixtures/traces/$name holds what its story tells', async ({ name, json, expected }) => {
  await expect(json).toMatchFileSnapshot(`../fixtures/traces/${name}`)
  await expect(`${JSON.stringify(expected, null, 1)}\n`).toMatchFileSnapshot(
    `../fixtures/expected-graphs/${name.replace(/(\.otlp)?\.json$/, '.expected.json')}`,
  )
})
