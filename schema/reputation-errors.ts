import type { ErrorRow } from './service-errors.ts'
import './words.ts'

/** What ratings refuse. Append-only: clients switch on the codes. */
export const reputationErrors = {
  own_hire: {
    status: 403,
    title: 'Own hire',
    meaning: WORDS && 'The hire is of the wallet’s own agent, which it can not rate.',
  },
  rating_not_found: {
    status: 404,
    title: 'Rating not found',
    meaning: WORDS && 'No rating has this id, or it is of another owner’s agent.',
  },
  too_little_paid: {
    status: 409,
    title: 'Too little paid',
    meaning:
      WORDS &&
      'Less has been collected for the hire than it takes to rate it; the detail says how much it takes, and how much there was.',
  },
  rating_final: {
    status: 409,
    title: 'Rating final',
    meaning: WORDS && 'The hire’s rating has been revised once, or is more than 30 days old.',
  },
  already_answered: {
    status: 409,
    title: 'Already answered',
    meaning: WORDS && 'The agent’s owner has given this rating another answer.',
  },
} as const satisfies Record<string, ErrorRow>
