import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    // On two cores: while one waits for a clock, a process or a page, the others work.
    maxWorkers: 3,
    // Loading wrangler, drizzle-orm and the rest anew for each file would take more time than the tests.
    isolate: false,
    // No test asserts a time: this only ends one that hangs, on a busy machine too.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
