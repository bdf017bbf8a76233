const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g

/**
 * What signing a transaction does and costs, from the service's words, which are for programs, too: without
 * the sentences on endpoints, and with times as the reader's own clock has them.
 */
export const forReaders = (message: string): string =>
  message
    .split(/(?<=\.) (?=[A-Z])/)
    .filter((sentence) => !sentence.includes(' /'))
    .join(' ')
    .replace(TIME, (time) =>
      new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' }),
    )
