import { paymentErrors } from './payment-errors.ts'
import { type ErrorRow, serviceErrors } from './service-errors.ts'
import { vaultErrors } from './vault-errors.ts'

import './docs.ts'

/** The errors of ratings. */
const reputationErrors = {
  own_hire: {
    status: 403,
    title: 'Own hire',
    meaning: WORDS && 'The agent, or that of the hire, is the wallet’s own, which it can not rate.',
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
      'Less has been collected for the hire, or paid for requests to the agent, than it takes to rate it; the detail says how much it takes, and how much there was.',
  },
  rating_final: {
    status: 409,
    title: 'Rating final',
    meaning: WORDS && 'The rating has been revised once, or is more than 30 days old.',
  },
  already_answered: {
    status: 409,
    title: 'Already answered',
    meaning: WORDS && 'The agent’s owner has given this rating another answer.',
  },
} as const satisfies Record<string, ErrorRow>

/** Every error code of the API. Append-only: clients switch on the codes. */
export const errors = {
  ...serviceErrors,
  ...vaultErrors,
  ...paymentErrors,
  ...reputationErrors,
  agent_not_active: {
    status: 400,
    title: 'Agent not active',
    meaning: WORDS && 'The agent is inactive or suspended and can not be hired.',
  },
  layers_not_supported: {
    status: 400,
    title: 'Layers not supported',
    meaning: WORDS && 'The hire names layers that the agent does not support.',
  },
  invalid_credential: {
    status: 400,
    title: 'Invalid credential',
    meaning:
      WORDS &&
      'The credential’s dates are impossible: issued in the future, expired, or expired before it was issued.',
  },
  invite_code_invalid: {
    status: 400,
    title: 'Invite code invalid',
    meaning:
      WORDS &&
      'The invite code can not be redeemed. Deliberately the same answer for a code that is unknown, used, expired or revoked.',
  },
  login_refused: {
    status: 401,
    title: 'Login refused',
    meaning:
      WORDS &&
      'The signature does not answer an open challenge of this wallet. Deliberately the same answer for a wrong key, an unknown, expired or used nonce, and text that does not decode.',
  },
  registration_refused: {
    status: 401,
    title: 'Registration refused',
    meaning:
      WORDS &&
      'A signed registration failed the check that `errors` names: its timestamp is too far from the server’s time, or its signature is not the agent key’s of exactly this message. The detail has the server’s time and the skew.',
  },
  attestation_not_yours: {
    status: 403,
    title: 'Attestation not yours',
    meaning: WORDS && 'The attestation belongs to another wallet.',
  },
  login_domain_refused: {
    status: 403,
    title: 'Login domain refused',
    meaning:
      WORDS &&
      'This deployment lets only certain pages log users in: the Origin is none of them, or the signed challenge was asked for without `publicKey`, so that no wallet has checked its domain.',
  },
  registration_barred: {
    status: 403,
    title: 'Registration barred',
    meaning: WORDS && 'An operator has removed this key’s entry; the key can not register again.',
  },
  own_attestation: {
    status: 403,
    title: 'Own attestation',
    meaning: WORDS && 'An oracle can not decide its own wallet’s attestations.',
  },
  agent_not_found: {
    status: 404,
    title: 'Agent not found',
    meaning: WORDS && 'No agent has this id, or (for a change) it belongs to another wallet.',
  },
  no_agent_card: {
    status: 404,
    title: 'No agent card',
    meaning:
      WORDS &&
      'The agent has no card of this kind: it is not active, or it does not say that its endpoint speaks this protocol.',
  },
  hire_not_found: {
    status: 404,
    title: 'Hire not found',
    meaning: WORDS && 'The wallet has no hire of this id; of a charge: none of its agents has.',
  },
  attestation_not_found: {
    status: 404,
    title: 'Attestation not found',
    meaning: WORDS && 'No attestation has this id.',
  },
  entry_not_found: {
    status: 404,
    title: 'Entry not found',
    meaning: WORDS && 'No active agent or entry of the registry has this identifier.',
  },
  registration_not_found: {
    status: 404,
    title: 'Registration not found',
    meaning: WORDS && 'No agent is registered under this key.',
  },
  upgrade_required: {
    status: 426,
    title: 'Upgrade required',
    meaning: WORDS && 'The path is a WebSocket’s: the request lacks `Upgrade: websocket`.',
  },
  too_many_sockets: {
    status: 429,
    title: 'Too many sockets',
    meaning: WORDS && 'The wallet listens by as many sockets as it may: close one, or use that.',
  },
  event_not_found: {
    status: 404,
    title: 'Event not found',
    meaning: WORDS && 'The wallet’s log has no event of this id.',
  },
  price_changed: {
    status: 409,
    title: 'Price changed',
    meaning: WORDS && 'The hire names another price than the agent has now. Nobody was hired.',
  },
  already_hired: {
    status: 409,
    title: 'Already hired',
    meaning: WORDS && 'The wallet has an active hire of this agent.',
  },
  quota_exceeded: {
    status: 409,
    title: 'Quota exceeded',
    meaning: WORDS && 'The wallet has as many of these as it may; the detail says how many that is.',
  },
  agent_suspended: {
    status: 409,
    title: 'Agent suspended',
    meaning:
      WORDS &&
      'An operator has suspended the agent; until that is lifted its owner can neither change its status nor charge for it.',
  },
  credential_differs: {
    status: 409,
    title: 'Credential differs',
    meaning: WORDS && 'The wallet has recorded this credential before, with other details.',
  },
  not_in_review: {
    status: 409,
    title: 'Not in review',
    meaning:
      WORDS && 'The attestation is not in review: not yet taken, or already decided. Decisions are final.',
  },
  signature_used: {
    status: 409,
    title: 'Signature used',
    meaning:
      WORDS &&
      'The signature has registered another body. It counts once, since it covers neither name nor fee: sign again with a later timestamp.',
  },
  registration_outdated: {
    status: 409,
    title: 'Registration outdated',
    meaning: WORDS && 'The key has a registration of the same or a later timestamp.',
  },
  already_registered: {
    status: 409,
    title: 'Already registered',
    meaning: WORDS && 'The wallet is a pioneer already; its code was not used.',
  },
  no_spots_left: {
    status: 409,
    title: 'No spots left',
    meaning: WORDS && 'Every pioneer spot is taken; the code was not used.',
  },
  cursor_lost: {
    status: 409,
    title: 'Cursor lost',
    meaning:
      WORDS &&
      'The wallet’s log has no event of the id in `after`: it was deleted, a year after it was recorded, or never was there. Events may have been missed. Read on without `after`, which begins with the event that `oldest` names; without `oldest` the log is empty.',
  },
  webhook_missing: {
    status: 409,
    title: 'Webhook missing',
    meaning:
      WORDS &&
      'The event does not go to the webhook endpoint that was named; or none was, and it concerns no agent of the wallet that has a webhookUrl.',
  },
  webhook_disabled: {
    status: 409,
    title: 'Webhook disabled',
    meaning:
      WORDS &&
      'Nothing is sent to the webhook endpoint: its owner has paused it, it answered 410, or nothing with 2xx for five days, or too many deliveries waited for it. What has happened since is held; `enabled` enables it, or webhookUrl of the agent whose it is.',
  },
  webhook_unconfirmed: {
    status: 409,
    title: 'Webhook unconfirmed',
    meaning:
      WORDS &&
      'The URL answers 2xx, but nobody has proven that its receiver wants the wallet’s events: nothing is replayed to it. Hand its challenge back by POST /events/endpoints/{id}/confirm.',
  },
  endpoint_not_found: {
    status: 404,
    title: 'Endpoint not found',
    meaning: WORDS && 'The wallet has no webhook endpoint of this id.',
  },
  endpoint_of_agent: {
    status: 409,
    title: 'Endpoint of an agent',
    meaning: WORDS && 'The webhook endpoint is the webhookUrl of an agent; PATCH /agents/{id} changes it.',
  },
  origin_refused: {
    status: 403,
    title: 'Origin refused',
    meaning:
      WORDS &&
      'The MCP server accepts pages over https and on localhost, and programs that send no Origin. Serve the page over https.',
  },
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof errors
