import { formatAmount, lamports } from '../../../schema/amounts.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { ApiError } from '../../api-error.ts'
import * as postgres from '../../db/functions.ts'
import { addressHash } from '../../quotas/address.ts'
import { builtTooOften } from '../../quotas/errors.ts'
import { lookUp } from '../../solana/look-up.ts'
import { buildCollector, collectorAccount, collectorState } from '../chain/collector.ts'
import type { BuildDeps } from '../chain-deps.ts'
import { newestKeys, requireEligible } from '../guards.ts'
import { type BuiltPayment, intentOf, networkOf, newIntentId, newlyBuilt } from '../transactions/building.ts'

/**
 * Builds the transaction that creates the payout account of an agents' owner under the newest key. Budget
 * accounts of all its agents approve this payout account.
 * @param clientAddress the client address that the build counts against, since it needs no tokens
 * @throws ApiError rate_limited, wallet_not_eligible, collector_exists, collector_foreign,
 *   dependency_unavailable
 */
export async function openCollector(
  deps: BuildDeps,
  wallet: Wallet,
  clientAddress: string,
): Promise<BuiltPayment> {
  requireEligible(deps.settings, wallet)
  const keys = newestKeys(deps.settings)
  const { address } = await collectorAccount(wallet, keys.keyVersion)
  const { accounts, ...seen } = await lookUp(deps, { collector: address })
  const state = collectorState(accounts.collector, { owner: wallet, keys })
  if (state === 'open')
    throw new ApiError(
      'collector_exists',
      `Your payout account (the collector) is already open at ${address}.`,
    )
  if (state === 'foreign') throw mismatchedCollector(address)
  const id = newIntentId(deps)
  const held = accounts.collector?.lamports ?? 0n
  const network = networkOf(deps, seen)
  const built = await buildCollector({ owner: wallet, keys }, { id, rents: seen.rents, held, network })
  const rent = seen.rents.multisig > held ? lamports(seen.rents.multisig - held) : lamports(0n)
  const message = `Signing opens your payout account (the collector). It can collect from the budget accounts of your agents’ hirers, only with both your signature and the service’s. It moves no CRED and costs ${formatAmount(built.fee)} SOL network fee and ${formatAmount(rent)} SOL rent, once, not returned.`
  const intent = intentOf(deps, { id, wallet, keyVersion: keys.keyVersion, built, message, seen })
  const { emptyBuildsPerAddress: buildsPerAddress } = deps
  const { outcome } = await postgres.recordPaymentIntent.call(deps.db, {
    ...intent,
    kind: 'open_collector',
    addressHash: await addressHash('empty builds', clientAddress),
    buildsPerAddress,
  })
  if (outcome === 'too_many_builds') throw builtTooOften(buildsPerAddress, deps.now)
  return newlyBuilt('open_collector', intent)
}

const mismatchedCollector = (address: string) =>
  new ApiError(
    'collector_foreign',
    `Your wallet has created another account at ${address}, the address of your payout account (the collector). This cannot be undone: use another wallet, or wait for the service’s next key.`,
  )
