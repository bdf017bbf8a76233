import './lib/cli/machine.mjs'
import { configDefaults, defineConfig } from 'vitest/config'
import { SlowFirst } from './test/times/slow-first.ts'

/** Tests of the gate that are too slow for `npm test`: attacks by many wallets, every view, large plans. */
const LONG = 'test/**/*.long.test.ts'
/** Tests that only a change to their subject can break: every kill of a deployment, every rotation. */
const NIGHTLY = 'test/**/*.nightly.test.ts'
/** Random programs against a model, and what is of many: `runs` of test/support/runs.ts says of how many. */
const OF_MANY = 'test/**/*-{model,many}.test.ts'

/** The test files of each mode. `test` runs OF_MANY with few programs, `models` with many. */
const MODES: Record<string, { include: string; exclude?: string[] }> = {
  test: { include: 'test/**/*.test.ts', exclude: [LONG, NIGHTLY] },
  long: { include: LONG },
  nightly: { include: NIGHTLY },
  models: { include: OF_MANY },
}

export default defineConfig(({ mode }) => {
  const files = MODES[mode]
  if (!files) throw new Error(`no mode ${mode}; there are ${Object.keys(MODES).join(', ')}`)
  return {
    test: {
      include: [files.include],
      exclude: [...configDefaults.exclude, ...(files.exclude ?? [])],
      provide: { isMany: mode === 'models' },
      setupFiles: ['test/support/seeded.ts'],
      globalSetup: ['test/support/global-setup.ts'],
      pool: 'forks',
      // Tests wait for processes and for time: of two cores two workers left two fifths idle.
      maxWorkers: 3,
      sequence: { sequencer: SlowFirst },
      // Loading wrangler, drizzle-orm and the rest anew for each file would take more time than the tests.
      isolate: false,
      // No test asserts a time: these limits only end one that hangs, on a busy machine too.
      testTimeout: mode === 'test' ? 600_000 : 1_800_000,
      hookTimeout: 600_000,
      expect: { poll: { timeout: 180_000 } },
    },
  }
})
