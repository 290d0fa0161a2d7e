import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { replayProject } from 'vitest-trace-replay/plugin'

// The quickstart's scenarios and SLOs against a server that is too slow for them.
export default defineConfig({
  root: fileURLToPath(new URL('../quickstart', import.meta.url)),
  test: {
    projects: [replayProject({ simulator: { prefillTokensPerSecond: 1_500, decodeStepMs: 16, maxBatch: 6 } })],
  },
})
