import type { Wire } from '../../../schema/wire/common.ts'
import type { RequestPrices, RequestTerms } from '../../../schema/wire/x402.ts'
import type { NamedPrice } from './set.ts'
import type { Terms } from './terms.ts'

/** The time that a client has to sign, in seconds: its blockhash is valid for about as long. */
export const TIMEOUT_S = 60

const priceView = ({ name, amount, asset }: NamedPrice) => ({ name, amount, asset })

export const pricesView = ({
  agentId,
  prices,
}: {
  agentId: string
  prices: NamedPrice[]
}): Wire<typeof RequestPrices> => ({ agentId, prices: prices.map(priceView) })

/**
 * Returns an agent's prices, with `accepts` as resource servers use it. They add the fee payer themselves,
 * and send `extra` back, so that a payment has the name of its price.
 * The flow `upfront` makes them settle before they serve; otherwise they work before they are paid.
 */
export const termsView = (
  { agentId, owner, prices, missing, isReady }: Terms,
  { network, feePayer }: { network: string; feePayer: string },
): Wire<typeof RequestTerms> => ({
  agentId,
  network,
  feePayer,
  ready: isReady,
  missing: missing.map(({ asset, address }) => ({ asset, address })),
  prices: prices.map(priceView),
  accepts: prices.map(({ name, amount, asset }) => ({
    scheme: 'exact',
    network,
    payTo: owner,
    price: { amount: amount.toString(), asset, extra: { agentId, priceName: name } },
    maxTimeoutSeconds: TIMEOUT_S,
    extra: { paymentFlow: 'upfront' },
  })),
})
