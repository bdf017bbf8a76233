import type { Address } from '../../../schema/wallet.ts'
import { ApiError } from '../../api-error.ts'
import type { Db } from '../../db/connect.ts'
import { cachedForEach } from '../../runtime/cache.ts'
import { ownTokenAccount } from '../../solana/cred-account.ts'
import { associatedTokenAddress } from '../../solana/programs/associated-token.ts'
import type { Rpc } from '../../solana/rpc.ts'
import type { NamedPrice } from './set.ts'
import { pricesNow } from './terms-queries.ts'

/** What requests to an agent cost, and whether it can be paid. */
export type Terms = {
  agentId: string
  owner: Address
  prices: NamedPrice[]
  /** The owner's token accounts that no payment can go to. */
  missing: { asset: Address; address: Address }[]
  isReady: boolean
}

/**
 * Whether an owner's accounts can be paid, for ten seconds in this isolate: anybody reads terms as often as
 * they like, and a node's calls are not free. A payment looks at them anew.
 */
const missingAt = cachedForEach<Terms['missing']>(10, 1_000)

/**
 * Reads an agent's prices, all or those of a name, and looks at the accounts that are paid: one statement and
 * one call to the chain in ten seconds.
 * @throws ApiError price_not_found, dependency_unavailable
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
      `No agent of this id has a price${name === undefined ? '' : ' of this name'}.`,
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
