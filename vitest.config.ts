import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // Loading wrangler, drizzle-orm and the rest anew for each file would take more time than the tests.
    isolate: false,
    // No test asserts a time: this only ends one that hangs, on a busy machine too.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
