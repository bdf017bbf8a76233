const isQuick = process.env.BENCH_QUICK === '1'

/** How much of something: the second with BENCH_QUICK=1, which tries the benchmark; not to be quoted. */
export const amount = (full: number, quick: number): number => (isQuick ? quick : full)
