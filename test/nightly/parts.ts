import type { NIGHTLY_PARTS } from '../../lib/cli/scripts.ts'

/** The scripts of package.json that each part runs, with their arguments. */
export const PARTS: Record<(typeof NIGHTLY_PARTS)[number], string[][]> = {
  times: [['test'], ['test:long']],
  engine: [['test:nightly']],
  models: [['test:models']],
  bench: [['bench']],
  soak: [['soak', '10']],
  generators: [['check:generators']],
  screenshots: [['screenshots']],
}
