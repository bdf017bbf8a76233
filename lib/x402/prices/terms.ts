import type { Address } from '../../../schema/wallet.ts'
import { ApiError } from '../../api-error.ts'
import type { Db } from '../../db/connect.ts'
import { cachedForEach } from '../../runtime/cache.ts'
import { ownTokenAccount } from '../../solana/cred-account.ts'
import { associatedTokenAddress } from '../../solana/programs/associated-token.ts'
import type { Rpc } from '../../solana/rpc.ts'
import type { NamedPrice } from './set.ts'
import { pricesNow } from './terms-queries.ts'

/** The prices of requests to an agent, and whether it can be paid. */
export type Terms = {
  agentId: string
  owner: Address
  prices: NamedPrice[]
  /** The owner's token accounts that can't receive a payment. */
  missing: { asset: Address; address: Address }[]
  isReady: boolean
}

/**
 * Caches for ten seconds per isolate whether an owner's accounts can be paid. Anybody may read terms without
 * a limit, and calls of a node cost money. A payment reads the accounts again.
 */
const missingAt = cachedForEach<Terms['missing']>(10, 1_000)

/**
 * Reads an agent's prices, all or only the one with a name, and checks the owner's token accounts. It makes
 * one statement, and one call to the chain in ten seconds.
 * @throws ApiError `price_not_found`, `dependency_unavailable`
 */
export async function readTerms(
  { db, rpc, now }: { db: Db; rpc: Rpc; now: Date },
  agentId: string,
  name: string | undefined,
): Promise<Terms> {
  const prices = await pricesNow.run(db, { agentId, name })
  const [first] = prices
  if (!first)
    throw new ApiError(
      'price_not_found',
      `No agent with this id has a price${name === undefined ? '' : ' with this name'}.`,
    )
  const { owner, isActive } = first
  const assets = [...new Set(prices.map(({ asset }) => asset))]
  const missing = await missingAt([owner, ...assets].join(' '), now, () => missingOf(rpc, owner, assets))
  return { agentId, owner, prices, missing, isReady: isActive && missing.length === 0 }
}

async function missingOf(rpc: Rpc, owner: Address, assets: Address[]): Promise<Terms['missing']> {
  const addresses = await Promise.all(assets.map((asset) => associatedTokenAddress(owner, asset)))
  const { accounts } = await rpc.accounts(addresses)
  return assets.flatMap((asset, index) => {
    const address = addresses[index]
    const isThere = ownTokenAccount(accounts[index], { owner, mint: asset }) !== undefined
    return isThere || address === undefined ? [] : [{ asset, address }]
  })
}
