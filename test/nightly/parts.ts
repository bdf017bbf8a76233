/** The scripts of package.json that each part runs, with their arguments. */
export const PARTS: Record<string, string[][]> = {
  times: [['test'], ['test:long']],
  engine: [['test:nightly']],
  models: [['test:models']],
  bench: [['bench']],
  soak: [['soak', '10']],
  generators: [['check:generators']],
  screenshots: [['screenshots']],
}
