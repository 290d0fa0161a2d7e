import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    // No test waits for time to pass; this bounds one that hangs, on a machine that may be busy with other things.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
