import * as v from 'valibot'
import { utf8 } from '../../keys/bytes.ts'
import type { Address } from '../../solana/address.ts'
import type { PaymentFault } from './faults.ts'

/** A price that an agent's owner has set: so many units of a mint, at least one. */
export type Price = { asset: Address; amount: bigint }

/** What a payment to an agent must be. */
export type PaymentTerms = {
  agentId: string
  /** The agent's owner, who is paid. */
  owner: Address
  /** The agent's prices, former ones that still hold among them. */
  prices: readonly Price[]
  /** The service's key that pays the network, and does nothing else. */
  feePayer: Address
  /** The network that is advertised, by its CAIP-2 id. */
  network: string
  /** The most lamports of SOL that a payment may cost the fee payer. */
  maxFee: bigint
}

const EXACT = 'exact'
const X402_VERSION = 2

/** The longest `extra.memo`, by the specification of the scheme. */
const MAX_MEMO_BYTES = 256

// Members that nobody asks about may be any: clients and servers add to `extra`, and to the payload.
const Requirements = v.object({
  scheme: v.string(),
  network: v.string(),
  amount: v.string(),
  asset: v.string(),
  payTo: v.string(),
  extra: v.object({
    feePayer: v.optional(v.string()),
    agentId: v.optional(v.string()),
    memo: v.optional(v.unknown()),
  }),
})

const Versioned = v.object({ x402Version: v.number() })

const Payload = v.object({
  x402Version: v.optional(v.unknown()),
  accepted: v.object({ scheme: v.string(), network: v.string() }),
  payload: v.object({ transaction: v.string() }),
})

/** What the caller asks about: the transaction, Base64, and what it has to pay. */
export type Asked = { transaction: string; price: Price; memo: string | undefined }

/**
 * Reads the two halves of a request and compares their named members with the agent's terms. The amount is
 * compared as decimal text: another spelling of the same number is no price.
 */
export function askedOf(
  paymentPayload: unknown,
  paymentRequirements: unknown,
  terms: PaymentTerms,
): Asked | PaymentFault {
  // Other versions have other members: an older client learns that it is older, not what it lacks.
  if (v.is(Versioned, paymentPayload) && paymentPayload.x402Version !== X402_VERSION) return 'invalid_version'
  const payload = v.safeParse(Payload, paymentPayload)
  if (!payload.success) return 'payload_malformed'
  const { x402Version, accepted, payload: sent } = payload.output
  if (x402Version !== X402_VERSION) return 'invalid_version'
  const requirements = v.safeParse(Requirements, paymentRequirements)
  if (!requirements.success) return 'requirements_malformed'
  const { scheme, network, amount, asset, payTo, extra } = requirements.output
  if (scheme !== EXACT || accepted.scheme !== EXACT) return 'unsupported_scheme'
  if (accepted.network !== network) return 'network_mismatch'
  if (network !== terms.network) return 'unsupported_network'
  if (!extra.feePayer) return 'missing_fee_payer'
  if (extra.feePayer !== terms.feePayer) return 'other_fee_payer'
  if (extra.agentId !== terms.agentId) return 'other_agent'
  if (payTo !== terms.owner) return 'other_owner'
  const price = terms.prices.find((one) => one.asset === asset && one.amount.toString() === amount)
  if (!price) return 'not_a_price'
  const memo = memoOf(extra.memo)
  return memo === 'too_long' ? 'memo_too_long' : { transaction: sent.transaction, price, ...memo }
}

/** The reference takes an empty memo for none. */
function memoOf(memo: unknown): { memo: string | undefined } | 'too_long' {
  if (memo === undefined || memo === null || memo === '') return { memo: undefined }
  return typeof memo === 'string' && utf8(memo).length <= MAX_MEMO_BYTES ? { memo } : 'too_long'
}
