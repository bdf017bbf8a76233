/** The states of a payment for a request, in a word. */
export const PAYMENT_STATUSES = {
  pending: { tone: 'warn', words: 'pending' },
  settled: { tone: 'good', words: 'paid' },
  failed: { tone: 'bad', words: 'failed' },
  expired: { tone: 'plain', words: 'expired' },
} as const
