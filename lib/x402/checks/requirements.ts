import * as v from 'valibot'
import { utf8 } from '../../keys/bytes.ts'
import type { Address } from '../../solana/address.ts'
import { MAX_MEMO_BYTES } from '../rules.ts'
import type { PaymentError } from './errors.ts'

/** A price of an agent in units of a mint, at least one. */
export type Price = { name: string; asset: Address; amount: bigint }

/** The conditions of a payment to an agent. */
export type PaymentTerms = {
  agentId: string
  /** The agent's owner, who receives the payment. */
  owner: Address
  /** The agent's prices, including former ones that are still accepted. */
  prices: readonly Price[]
  /** The service's key that pays network fees and nothing else. */
  feePayer: Address
  /** The CAIP-2 id of the advertised network. */
  network: string
  /** The most lamports of SOL that a payment may cost the fee payer. */
  maxFee: bigint
}

const EXACT = 'exact'
const X402_VERSION = 2

// Other members may have any value: clients and servers add some to `extra` and to the payload.
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
    priceName: v.optional(v.unknown()),
  }),
})

const Versioned = v.object({ x402Version: v.number() })

const Payload = v.object({
  x402Version: v.optional(v.unknown()),
  accepted: v.object({ scheme: v.string(), network: v.string() }),
  payload: v.object({ transaction: v.string() }),
  extensions: v.optional(v.unknown()),
})

/** What a payment pays: an amount of an asset, and the name of its price if there is no doubt about it. */
type AskedPrice = { asset: Address; amount: bigint; name: string | undefined }

/** The requested check: the transaction, Base64, its price, its memo and the client's id of the purchase. */
export type Asked = {
  transaction: string
  price: AskedPrice
  memo: string | undefined
  identifier: string | undefined
}

/**
 * Parses both halves of a request and compares their named members with the agent's terms. It compares the
 * amount as decimal text, so another spelling of the same number does not match.
 */
export function askedOf(
  paymentPayload: unknown,
  paymentRequirements: unknown,
  terms: PaymentTerms,
): Asked | PaymentError {
  // Checked first, since other versions have other members: an older client should learn that it is older.
  if (v.is(Versioned, paymentPayload) && paymentPayload.x402Version !== X402_VERSION) return 'invalid_version'
  const payload = v.safeParse(Payload, paymentPayload)
  if (!payload.success) return 'payload_malformed'
  const { x402Version, accepted, payload: sent, extensions } = payload.output
  if (x402Version !== X402_VERSION) return 'invalid_version'
  const requirements = v.safeParse(Requirements, paymentRequirements)
  if (!requirements.success) return 'requirements_malformed'
  const { scheme, network, amount, asset, payTo, extra } = requirements.output
  if (scheme !== EXACT) return 'unsupported_scheme'
  if (accepted.scheme !== EXACT) return 'scheme_mismatch'
  if (accepted.network !== network) return 'network_mismatch'
  if (network !== terms.network) return 'unsupported_network'
  if (!extra.feePayer) return 'missing_fee_payer'
  if (extra.feePayer !== terms.feePayer) return 'other_fee_payer'
  if (extra.agentId !== terms.agentId) return 'other_agent'
  if (payTo !== terms.owner) return 'other_owner'
  const price = priceOf(terms.prices, { asset, amount, name: extra.priceName })
  if (!price) return 'not_a_price'
  const memo = memoOf(extra.memo)
  if (memo === 'too_long') return 'memo_too_long'
  const identifier = identifierOf(extensions)
  if (identifier === 'malformed') return 'identifier_malformed'
  return { transaction: sent.transaction, price, ...memo, ...identifier }
}

/**
 * Finds the price of an amount: the one of the given name, else the only one with this amount and asset.
 * Several others have no name in common, so the payment has none.
 */
function priceOf(
  prices: readonly Price[],
  asked: { asset: string; amount: string; name: unknown },
): AskedPrice | undefined {
  const [first, ...others] = prices.filter(
    ({ asset, amount }) => asset === asked.asset && amount.toString() === asked.amount,
  )
  if (!first || others.length === 0) return first
  const named = [first, ...others].find(({ name }) => name === asked.name)
  return named ?? { asset: first.asset, amount: first.amount, name: undefined }
}

/** Reads a memo. Like the reference implementation, it treats an empty memo as missing. */
function memoOf(memo: unknown): { memo: string | undefined } | 'too_long' {
  if (memo === undefined || memo === null || memo === '') return { memo: undefined }
  return typeof memo === 'string' && utf8(memo).length <= MAX_MEMO_BYTES ? { memo } : 'too_long'
}

const IDENTIFIER = /^[\w-]{16,128}$/
const Identified = v.object({
  'payment-identifier': v.object({ info: v.object({ id: v.optional(v.unknown()) }) }),
})

/**
 * Reads the client's id of the purchase: the extension payment-identifier, whose form the published package
 * checks likewise. Clients send back a server's declaration without an id.
 */
function identifierOf(extensions: unknown): { identifier: string | undefined } | 'malformed' {
  const id = v.is(Identified, extensions) ? extensions['payment-identifier'].info.id : undefined
  if (id === undefined) return { identifier: undefined }
  return typeof id === 'string' && IDENTIFIER.test(id) ? { identifier: id } : 'malformed'
}
