import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // No test asserts a time: this only ends one that hangs, on a busy machine too.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
