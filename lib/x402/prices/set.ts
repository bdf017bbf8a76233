import type { Address, Wallet } from '../../../schema/wallet.ts'
import { ApiError, type FieldError } from '../../api-error.ts'
import type { ScheduleJob } from '../../clock/wake.ts'
import type { Db } from '../../db/connect.ts'
import * as postgres from '../../db/functions.ts'
import { addressHash } from '../../quotas/address.ts'
import { usedUp } from '../../quotas/errors.ts'
import { catalogAt, SUPERSEDED_PRICE_MS } from '../rules.ts'
import type { X402Settings } from '../settings.ts'

export type NamedPrice = { name: string; amount: bigint; asset: Address }

/** A price as its owner sets it; without an asset it is in CRED. */
type RequestedPrice = { name: string; amount: bigint; asset?: Address | undefined }

type PriceDeps = {
  db: Db
  now: Date
  settings: Pick<X402Settings, 'mint' | 'assets'>
  /** PRICE_CHANGES_PER_ADDRESS */
  changesPerAddress: number
  /** Schedules what a listed route's price makes due. */
  schedule: ScheduleJob
}

/**
 * Replaces all prices of an agent of the wallet. A superseded price is accepted for ten more minutes.
 * @throws ApiError `invalid_request`, `agent_not_found`, `rate_limited`
 */
export async function setPrices(
  { db, now, settings, changesPerAddress, schedule }: PriceDeps,
  owner: Wallet,
  agentId: string,
  { prices: requested, address }: { prices: RequestedPrice[]; address: string },
): Promise<{ agentId: string; prices: NamedPrice[] }> {
  const prices = requested.map((price) => ({ ...price, asset: price.asset ?? settings.mint }))
  requireValid(prices, settings.assets)
  const { outcome, isCatalogChanged, probeAt } = await postgres.setRequestPrices.call(db, {
    agentId,
    owner,
    names: prices.map(({ name }) => name),
    assets: prices.map(({ asset }) => asset),
    amounts: prices.map(({ amount }) => amount),
    cred: settings.mint,
    addressHash: await addressHash('price changes', address),
    changesPerAddress,
    now,
  })
  if (outcome === 'agent_not_found')
    throw new ApiError('agent_not_found', 'No agent of this wallet has this id.')
  if (outcome === 'changed_too_often')
    throw new ApiError(
      'rate_limited',
      `Too many price changes in ${SUPERSEDED_PRICE_MS / 60_000} minutes: replaced prices are still valid. Try again later.`,
      {
        retryAfterSeconds: SUPERSEDED_PRICE_MS / 1000,
      },
    )
  if (outcome === 'address_changes_too_often')
    throw usedUp('changes of agents’ prices from one address', {
      ...{ policy: 'address-price-changes', limit: changesPerAddress, per: 'hour', now },
    })
  if (isCatalogChanged) schedule('catalog', catalogAt(now))
  if (probeAt) schedule('looks', probeAt)
  return { agentId, prices: prices.toSorted((a, b) => (a.name < b.name ? -1 : 1)) }
}

function requireValid(prices: NamedPrice[], assets: Address[]): void {
  const errors = prices.flatMap(({ name, asset }, index): FieldError[] => [
    ...(assets.includes(asset)
      ? []
      : [{ path: `prices.${index}.asset`, message: `must be one of ${assets.join(', ')}` }]),
    ...(prices.findIndex((other) => other.name === name) === index
      ? []
      : [{ path: `prices.${index}.name`, message: 'is also the name of another price' }]),
  ])
  const [first] = errors
  if (first) throw new ApiError('invalid_request', `${first.path} ${first.message}.`, { errors })
}
