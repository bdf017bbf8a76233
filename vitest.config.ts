import './lib/cli/machine.mjs'
import { configDefaults, defineConfig } from 'vitest/config'
import { SlowFirst } from './test/support/slow-first.ts'

/** Tests that take long: kills, attacks by hundreds of wallets, every view in every state, large plans. */
const LONG = 'test/**/*.long.test.ts'
/** Random programs against a model, and what is of many: `runs` of test/support/runs.ts says of how many. */
const OF_MANY = 'test/**/*-{model,many}.test.ts'

/** `npm test` runs all but LONG, OF_MANY with few; `npm run test:long` runs LONG, and OF_MANY with many. */
export default defineConfig(({ mode }) => ({
  test: {
    include: mode === 'long' ? [LONG, OF_MANY] : ['test/**/*.test.ts'],
    exclude: mode === 'long' ? configDefaults.exclude : [...configDefaults.exclude, LONG],
    provide: { isLong: mode === 'long' },
    setupFiles: ['test/support/seeded.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    // Tests wait for processes and for time: of two cores two workers left two fifths idle.
    maxWorkers: 3,
    sequence: { sequencer: SlowFirst },
    // Loading wrangler, drizzle-orm and the rest anew for each file would take more time than the tests.
    isolate: false,
    // No test asserts a time: these limits only end one that hangs, on a busy machine too.
    testTimeout: mode === 'long' ? 1_800_000 : 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 180_000 } },
  },
}))
