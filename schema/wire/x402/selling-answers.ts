import * as v from 'valibot'
import { exampleOf } from '../../docs.ts'
import { AGENT_ID } from '../../examples.ts'
import { requestRefusalReasons, sellingNeeds } from '../../values.ts'
import { body } from '../body.ts'
import { Timestamp, WireAmount, WireUuid } from '../common.ts'

// Separate from the schemas that the Worker validates by, so that its bundle has no schemas of answers.
const RequestRefusal = body(
  'RequestRefusal',
  'A reason to refuse payments to an agent that its owner can remove.',
  {
    reason: [
      v.picklist(requestRefusalReasons),
      'no_credit (your credit is less than the fee of a payment), day_used_up (your share of the day’s network fees), service_day_used_up (the service’s network fees of the day), no_token_account (your wallet can’t receive the token), not_active (the agent), former_key (your server uses a key that a newer one has ended), not_a_price (your server asks for another amount or token), stale_fee_payer (your server names a former fee payer: restart it), wrong_accepts (your server’s requirements differ from `accepts` in another member).',
    ],
    since: [Timestamp, 'The first refusal since the last payment.'],
    lastAt: [Timestamp, 'The last recorded refusal. One is recorded at most once an hour.'],
  },
  {
    reason: 'stale_fee_payer',
    since: '2026-11-28T10:30:00.000Z',
    lastAt: '2026-11-28T12:31:00.000Z',
  },
)

const refusal = exampleOf(RequestRefusal)

export const RequestSelling = body(
  'RequestSelling',
  'What an agent lacks to sell requests, and why its customers’ payments are refused.',
  {
    agentId: [WireUuid, 'The agent.'],
    usualDebit: [
      v.optional(WireAmount),
      'What a payment uses of your credit, in the smallest units of CRED, at the network fee of the published x402 clients. A higher network fee uses more.',
    ],
    missing: [
      v.array(v.picklist(sellingNeeds)),
      'key (POST /x402/agents/{id}/key), credit (less than the fee of a payment), token_account (a payment was refused for it), endpoint (the agent has no apiEndpoint).',
    ],
    refusals: [v.array(RequestRefusal), 'The newest first, until a later payment settles.'],
  },
  { agentId: AGENT_ID, usualDebit: 10_001_000, missing: ['endpoint'], refusals: [refusal] },
)
