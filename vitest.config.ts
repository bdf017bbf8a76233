import { configDefaults, defineConfig } from 'vitest/config'

/** What is long by nature: kills, a month of webhooks, every view in every state. */
const LONG = 'test/**/*.long.test.ts'
/** Random programs held against a model: `runs` of test/support/runs.ts says how many, in either command. */
const MODELS = 'test/**/*-model.test.ts'

/** `npm test` runs everything but LONG; `npm run test:long`, of mode `long`, runs LONG, and MODELS for longer. */
export default defineConfig(({ mode }) => ({
  test: {
    include: mode === 'long' ? [LONG, MODELS] : ['test/**/*.test.ts'],
    exclude: mode === 'long' ? configDefaults.exclude : [...configDefaults.exclude, LONG],
    provide: { isLong: mode === 'long' },
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
}))
