/** The locale of numbers: every reader sees `1,500.25`, whatever notation their own locale has. */
export const NUMBER_LOCALE = 'en'

/**
 * Returns the locale of times: the reader's first English one, since the console is in English. Some browsers
 * name a tag that Intl refuses, such as `en-US@posix`.
 */
export const timesIn = (languages: readonly string[]): string =>
  languages.find((tag) => /^en-[A-Z]{2}$/.test(tag)) ?? 'en-GB'

/** Formats a number: 1,234.5. */
export const formatNumber = (value: number | bigint, options?: Intl.NumberFormatOptions): string =>
  new Intl.NumberFormat(NUMBER_LOCALE, options).format(value)

/** Formats a day and a time of the reader's zone. */
export const formatTime = (at: string | number): string =>
  formatAs(at, { dateStyle: 'medium', timeStyle: 'short' })

/** Formats a part of a time, in the reader's zone. */
export const formatAs = (at: string | number, options: Intl.DateTimeFormatOptions): string =>
  new Date(at).toLocaleString(timesIn(navigator.languages), options)
