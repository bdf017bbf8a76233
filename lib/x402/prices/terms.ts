import type { Address } from '../../../schema/wallet.ts'
import { ApiError } from '../../api-error.ts'
import type { Db } from '../../db/connect.ts'
import { cachedForEach } from '../../runtime/cache.ts'
import { ownTokenAccount } from '../../solana/cred-account.ts'
import { associatedTokenAddress } from '../../solana/programs/associated-token.ts'
import type { Rpc } from '../../solana/rpc.ts'
import type { NamedPrice } from './set.ts'
import { currentPrices } from './terms-queries.ts'

/** The prices of requests to an agent, and whether it can be paid. */
export type Terms = {
  agentId: string
  owner: Address
  prices: NamedPrice[]
  /** The owner's token accounts that can't receive a payment: missing, frozen, or transferred to another. */
  missing: { asset: Address; address: Address }[]
  isReady: boolean
}

const CACHED_S = 10
/** Owners with their assets, per isolate. */
const MAX_CACHED = 1_000

/**
 * Caches the accounts that can't be paid, per isolate, owner and list of assets, since calls of a node cost
 * money. READ_LIMIT limits the reads of one client address, not of all together. A payment reads the accounts
 * again.
 */
const cachedMissing = cachedForEach<Terms['missing']>(CACHED_S, MAX_CACHED)

/**
 * Reads an agent's current prices, all or only the one with a name, and checks the owner's token accounts. It
 * makes one statement, and a call of a node unless these accounts are cached.
 * @throws ApiError `price_not_found`, `dependency_unavailable`
 */
export async function readTerms(
  { db, rpc, now }: { db: Db; rpc: Rpc; now: Date },
  agentId: string,
  name: string | undefined,
): Promise<Terms> {
  const prices = await currentPrices.run(db, { agentId, name })
  const [first] = prices
  if (!first)
    throw new ApiError(
      'price_not_found',
      `No agent with this id has a price${name === undefined ? '' : ' with this name'}.`,
    )
  const { owner, isActive } = first
  const assets = [...new Set(prices.map(({ asset }) => asset))]
  const missing = await cachedMissing([owner, ...assets].join(' '), now, () => missingOf(rpc, owner, assets))
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
