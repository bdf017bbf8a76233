import * as v from 'valibot'
import { CHALLENGE } from '../../examples.ts'
import { body } from '../body.ts'

/** Body of POST /events/endpoints/{id}/confirm, and of an agent's webhook. */
export const ConfirmRequest = body(
  'ConfirmRequest',
  'The challenge that a receiver was sent.',
  {
    challenge: [
      v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{43}$/, 'must be 32 bytes in Base64url')),
      '`data.challenge` of the `endpoint.verification` that the URL received.',
    ],
  },
  { challenge: CHALLENGE },
)
