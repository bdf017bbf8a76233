import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether this is `npm run test:long`. */
    isLong: boolean
  }
}

/**
 * How many random programs a model test runs, or of what else a test has many: `few` in `npm test`, `many` in
 * `npm run test:long`, or as many as RUNS says.
 */
export const runs = (few: number, many: number): number =>
  Number(process.env.RUNS ?? (inject('isLong') ? many : few))
