import * as v from 'valibot'
import { describe } from '../../docs.ts'
import { CHALLENGE } from '../../examples.ts'

/** Body of POST /events/endpoints/{id}/confirm, and of an agent's webhook. */
export const ConfirmRequest = v.strictObject({
  challenge: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{43}$/, 'must be 32 bytes in Base64url')),
})

describe(ConfirmRequest, {
  name: 'ConfirmRequest',
  description: 'The challenge that a receiver was sent.',
  fields: {
    challenge: '`data.challenge` of the `endpoint.verification` that the URL received.',
  },
  example: { challenge: CHALLENGE },
})
