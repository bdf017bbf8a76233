import { base64 } from '@scure/base'
import { MAX_HEADER_BYTES } from '../rules.ts'
import { isObject, type JsonObject } from './json.ts'

/** What a route's 402 answer must ask for: one price of its agent. */
export type Expected = {
  agentId: string
  owner: string
  priceName: string
  asset: string
  amount: bigint
  /** X402_NETWORK */
  network: string
}

/** Decodes the header PAYMENT-REQUIRED of x402 version 2: Base64 of JSON. */
export function paymentRequired(header: string | null): JsonObject | 'no_header' | 'too_large' {
  if (header === null) return 'no_header'
  if (header.length > MAX_HEADER_BYTES) return 'too_large'
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(base64.decode(header))
    const required: unknown = JSON.parse(text)
    return isObject(required) && Array.isArray(required.accepts) ? required : 'no_header'
  } catch {
    return 'no_header'
  }
}

/**
 * Compares the payment options of a 402 answer with a price. One of them must be for the agent and its owner,
 * so that nobody lists another's route, and ask for exactly this price.
 */
export function termsError(
  { accepts }: JsonObject,
  { agentId, owner, priceName, asset, amount, network }: Expected,
): 'names_another' | 'price_differs' | undefined {
  const own = (accepts as unknown[])
    .filter(isObject)
    .filter(
      ({ scheme, network: its, payTo, extra }) =>
        scheme === 'exact' &&
        its === network &&
        payTo === owner &&
        isObject(extra) &&
        extra.agentId === agentId,
    )
  if (own.length === 0) return 'names_another'
  const isPriced = own.some(({ asset: its, amount: asked, extra }) => {
    const name = (extra as JsonObject).priceName
    return its === asset && asked === amount.toString() && (name === undefined || name === priceName)
  })
  return isPriced ? undefined : 'price_differs'
}
