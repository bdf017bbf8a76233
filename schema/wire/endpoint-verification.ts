import * as v from 'valibot'
import { CHALLENGE, WALLET } from '../examples.ts'
import { OwnText } from './answer-text.ts'
import { body } from './body.ts'
import { Timestamp } from './common.ts'

/** The request for a proof. A webhook endpoint's URL receives it before any event. */
export const EndpointVerification = body(
  'EndpointVerification',
  'Asks a receiver to prove that it wants a wallet’s events.',
  {
    type: [v.literal('endpoint.verification'), 'It is not an event and appears in no log.'],
    timestamp: [Timestamp, 'When it was sent.'],
    data: [
      v.strictObject({ challenge: OwnText, wallet: OwnText }),
      'If you want the events of `wallet`, answer 2xx with the lowercase hexadecimal SHA-256 of `challenge` as the whole body.',
    ],
  },
  {
    type: 'endpoint.verification',
    timestamp: '2026-11-20T09:05:00.000Z',
    data: {
      challenge: CHALLENGE,
      wallet: WALLET,
    },
  },
)
