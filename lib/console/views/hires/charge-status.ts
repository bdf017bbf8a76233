/** The states of a charge, in a word. */
export const CHARGE_STATUSES = {
  recorded: { tone: 'warn', words: 'due' },
  collecting: { tone: 'warn', words: 'collecting' },
  collected: { tone: 'good', words: 'paid' },
  voided: { tone: 'plain', words: 'voided' },
  lapsed: { tone: 'plain', words: 'expired' },
} as const
