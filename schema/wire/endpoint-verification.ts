import * as v from 'valibot'
import { describe } from '../docs.ts'
import { CHALLENGE, WALLET } from '../examples.ts'
import { OwnText } from './answer-text.ts'
import { Timestamp } from './common.ts'

/** The request for a proof. A webhook endpoint's URL receives it before any event. */
export const EndpointVerification = v.strictObject({
  type: v.literal('endpoint.verification'),
  timestamp: Timestamp,
  data: v.strictObject({ challenge: OwnText, wallet: OwnText }),
})

describe(EndpointVerification, {
  name: 'EndpointVerification',
  description: 'Asks a receiver to prove that it wants a wallet’s events.',
  fields: {
    type: 'It is not an event and appears in no log.',
    timestamp: 'When it was sent.',
    data: 'If you want the events of `wallet`, answer 2xx with the lowercase hexadecimal SHA-256 of `challenge` as the whole body.',
  },
  example: {
    type: 'endpoint.verification',
    timestamp: '2026-11-20T09:05:00.000Z',
    data: {
      challenge: CHALLENGE,
      wallet: WALLET,
    },
  },
})
