import { oauthErrors } from './oauth-errors.ts'
import { paymentErrors } from './payment-errors.ts'
import { type ErrorRow, serviceErrors } from './service-errors.ts'
import { vaultErrors } from './vault-errors.ts'

/** The errors of ratings. */
const reputationErrors = {
  own_hire: {
    status: 403,
    meaning: 'A wallet cannot rate its own agents.',
  },
  rating_not_found: {
    status: 404,
    meaning: 'No rating has this id, or it rates another owner’s agent.',
  },
  too_little_paid: {
    status: 409,
    meaning:
      'Too little has been collected for the hire, or paid for requests to the agent, to rate it. The detail has the minimum and the amount so far.',
  },
  rating_final: {
    status: 409,
    meaning: 'The rating was already revised once, or is more than 30 days old.',
  },
  already_answered: {
    status: 409,
    meaning: 'The agent’s owner has already answered this rating differently.',
  },
} as const satisfies Record<string, ErrorRow>

/** Every error code of the API. Append-only: clients switch on the codes. */
export const errors = {
  ...serviceErrors,
  ...vaultErrors,
  ...paymentErrors,
  ...reputationErrors,
  ...oauthErrors,
  agent_not_active: {
    status: 400,
    meaning: 'The agent is inactive or suspended and cannot be hired.',
  },
  layers_not_supported: {
    status: 400,
    meaning: 'The hire names layers that the agent does not support.',
  },
  invalid_credential: {
    status: 400,
    meaning:
      'The credential’s dates are impossible: issued in the future, expired, or expired before it was issued.',
  },
  invite_code_invalid: {
    status: 400,
    meaning:
      'The invite code cannot be redeemed. Unknown, used, expired and revoked codes deliberately get the same answer.',
  },
  login_refused: {
    status: 401,
    meaning:
      'The signature does not answer an open challenge of this wallet. A wrong key, an unknown, expired or used nonce, and text that does not decode deliberately get the same answer. Request a new challenge and sign it.',
  },
  registration_refused: {
    status: 401,
    meaning:
      'A check of the registration failed (see `errors`): the timestamp is too far from the server’s time, or the agent’s key did not sign exactly this message. The detail has the server’s time and the difference.',
  },
  attestation_not_yours: {
    status: 403,
    meaning: 'The attestation belongs to another wallet.',
  },
  login_domain_refused: {
    status: 403,
    meaning:
      'This deployment accepts logins only from certain pages. The Origin is not one of them, or the challenge was requested without `publicKey`, so no wallet checked its domain. Request the challenge with `publicKey`, on an accepted page.',
  },
  registration_barred: {
    status: 403,
    meaning: 'An operator has removed this key’s entry; the key cannot register again.',
  },
  spend_limit_exceeded: {
    status: 403,
    meaning:
      'The hire’s `budgetLimit` exceeds what remains of the spending limit that the wallet granted to this client (`remaining`, in lamports). The agent was not hired.',
  },
  own_attestation: {
    status: 403,
    meaning: 'An oracle cannot decide its own wallet’s attestations.',
  },
  agent_not_found: {
    status: 404,
    meaning: 'No agent has this id, or (for a change) it belongs to another wallet.',
  },
  no_agent_card: {
    status: 404,
    meaning: 'The agent has no card of this kind: it is not active, or its `apiProtocol` is a different one.',
  },
  hire_not_found: {
    status: 404,
    meaning: 'The wallet has no hire with this id. For a charge: none of the wallet’s agents has.',
  },
  attestation_not_found: {
    status: 404,
    meaning: 'No attestation has this id.',
  },
  entry_not_found: {
    status: 404,
    meaning: 'No active agent or entry of the registry has this identifier.',
  },
  registration_not_found: {
    status: 404,
    meaning: 'No agent is registered under this key.',
  },
  upgrade_required: {
    status: 426,
    meaning: 'This path is a WebSocket. Send the request with `Upgrade: websocket`.',
  },
  too_many_sockets: {
    status: 429,
    meaning: 'The wallet has the maximum number of open sockets. Close one, or reuse it.',
  },
  event_not_found: {
    status: 404,
    meaning: 'The wallet’s log has no event with this id.',
  },
  price_changed: {
    status: 409,
    meaning:
      'The price in the request is no longer the agent’s. The agent was not hired. Read its price and try again.',
  },
  already_hired: {
    status: 409,
    meaning: 'The wallet already has an active hire of this agent.',
  },
  quota_exceeded: {
    status: 409,
    meaning: 'The wallet has reached a limit. The detail says which one, and how many it allows.',
  },
  agent_suspended: {
    status: 409,
    meaning:
      'An operator has suspended the agent. Until the suspension is lifted, its owner can neither change its status nor charge for its work.',
  },
  credential_differs: {
    status: 409,
    meaning: 'The wallet has recorded this credential before, with other details.',
  },
  not_in_review: {
    status: 409,
    meaning:
      'The attestation is not in review: it was not submitted, or is already decided. Decisions are final.',
  },
  signature_used: {
    status: 409,
    meaning:
      'This signature has already registered another body. It can be used once, because it covers neither name nor fee. Sign again with a later timestamp.',
  },
  registration_outdated: {
    status: 409,
    meaning: 'The key already has a registration with the same or a later timestamp.',
  },
  already_registered: {
    status: 409,
    meaning: 'The wallet is already a pioneer; the code was not used.',
  },
  no_spots_left: {
    status: 409,
    meaning: 'Every pioneer spot is taken; the code was not used.',
  },
  cursor_lost: {
    status: 409,
    meaning:
      'No event in the wallet’s log has the id in `after`: it was deleted a year after it was recorded, or it never existed. You may have missed events. Continue without `after`, which starts at the event in `oldest`. If `oldest` is absent, the log is empty.',
  },
  webhook_missing: {
    status: 409,
    meaning:
      'The event is not sent to the given webhook endpoint. If none was given: the event concerns none of the wallet’s agents with a webhookUrl.',
  },
  webhook_disabled: {
    status: 409,
    meaning:
      'The webhook endpoint is disabled: its owner paused it, it answered 410, it answered no delivery with 2xx for five days, or too many deliveries were waiting. Events since then are held. To enable it, set `enabled` to true; for an agent’s webhook, set the agent’s webhookUrl.',
  },
  webhook_unconfirmed: {
    status: 409,
    meaning:
      'The URL answers 2xx, but its receiver has not proven that it wants the wallet’s events, so nothing is replayed to it. Send its challenge to POST /events/endpoints/{id}/confirm.',
  },
  endpoint_not_found: {
    status: 404,
    meaning: 'The wallet has no webhook endpoint with this id.',
  },
  endpoint_of_agent: {
    status: 409,
    title: 'Endpoint of an agent',
    meaning: 'The webhook endpoint is an agent’s webhookUrl. Change it with PATCH /agents/{id}.',
  },
  origin_refused: {
    status: 403,
    meaning:
      'The MCP server accepts pages over https and on localhost, and programs that send no Origin: serve the page over https. A consent is accepted only from the service’s own page.',
  },
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof errors

/** Returns an error's title: `Rate limited`. */
export function titleOf(code: ErrorCode): string {
  const { title }: ErrorRow = errors[code]
  return title ?? `${code.charAt(0).toUpperCase()}${code.slice(1).replaceAll('_', ' ')}`
}
