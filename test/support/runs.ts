import { expect, inject } from 'vitest'
import { FIXED_SEED, SEED } from './random.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether this is `npm run test:models`. */
    isMany: boolean
  }
}

/**
 * How many random programs a model test runs, or of what else a test has many: `few` in `npm test`, `many` in
 * `npm run test:models`, or as many as RUNS says.
 * @throws Error in a file that `npm run test:models` does not run
 */
export function runs(few: number, many: number): number {
  const { testPath = '' } = expect.getState()
  if (!/-(model|many)\.test\.ts$/.test(testPath))
    throw new Error(
      `${testPath} must end with -model or -many (vitest.config.ts): else it never runs with many`,
    )
  return Number(process.env.RUNS ?? (inject('isMany') ? many : few))
}

/**
 * Asserts how often each outcome of the random programs was seen, so that none is never tested. The counts
 * belong to the fixed seed. With another seed, or with RUNS, each outcome must be seen once.
 */
export function expectCounts<Outcome extends string>(
  seen: Record<Outcome, number>,
  expected: { few: Record<Outcome, number>; many: Record<Outcome, number> },
): void {
  if (SEED === FIXED_SEED && process.env.RUNS === undefined)
    expect(seen).toEqual(inject('isMany') ? expected.many : expected.few)
  else for (const [outcome, count] of Object.entries(seen)) expect(count, outcome).not.toBe(0)
}
