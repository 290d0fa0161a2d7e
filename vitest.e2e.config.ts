import { defineConfig } from 'vitest/config'

/** Real Vitest, old and new, over the small projects of `fixtures/projects`, from the packed package. */
export default defineConfig({
  test: {
    include: ['fixtures/e2e/**/*.test.ts'],
    globalSetup: ['fixtures/e2e/global-setup.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Each test starts a Vitest of its own, which starts its workers.
    fileParallelism: false,
    // What these run measures a client that shares its machine: once more, where that had too much else to do.
    retry: 1,
  },
})
