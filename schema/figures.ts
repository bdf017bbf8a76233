// Figures in texts of the API description. Texts that state a limit take it from its constant.

const WORDS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ')

/**
 * Writes a whole number: in words from one to twelve, else in digits with grouped thousands. toLocaleString
 * would load the data of all languages, 8 ms of a Worker's cold start.
 */
export const figure = (value: number): string =>
  WORDS[value - 1] ?? String(value).replace(/\B(?=(?:\d{3})+$)/g, ',')

const LENGTHS = { second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 }

/** Writes a span of time in a unit: "five minutes", "24 hours". */
export function span(ms: number, unit: keyof typeof LENGTHS): string {
  const length = ms / LENGTHS[unit]
  return `${figure(length)} ${unit}${length === 1 ? '' : 's'}`
}
