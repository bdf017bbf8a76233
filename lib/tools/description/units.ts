const UNITS = { day: 86_400_000, h: 3_600_000, min: 60_000, s: 1_000 }

/** Writes a span of time in its largest unit: "5 min", "5.3 h", "5 days". */
export function span(ms: number): string {
  const [unit, length] = Object.entries(UNITS).find(([, length]) => ms >= length) ?? ['s', UNITS.s]
  if (ms === UNITS.day) return '24 h'
  return `${Math.round((ms / length) * 10) / 10} ${unit === 'day' ? 'days' : unit}`
}

/** Writes how often something comes again: "10 a second", "4 an hour". */
export function rate(everyMs: number): string {
  const spans = { 'a second': UNITS.s, 'a minute': UNITS.min, 'an hour': UNITS.h }
  const [words, length] = Object.entries(spans).find(([, length]) => length >= everyMs) ?? [
    'a day',
    UNITS.day,
  ]
  return `${length / everyMs} ${words}`
}

/** Writes a number with grouped thousands: "1,200". */
export const number = (value: number): string => value.toLocaleString('en')
