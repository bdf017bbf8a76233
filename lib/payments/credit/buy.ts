import { cred, formatAmount } from '../../../schema/amounts.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import * as postgres from '../../db/functions.ts'
import { lookUp } from '../../solana/look-up.ts'
import { associatedTokenAddress } from '../../solana/programs/associated-token.ts'
import { buildPurchase } from '../chain/purchase.ts'
import type { BuildDeps } from '../chain-deps.ts'
import { newestKeys, requireEligible, requireFunds, requireTreasury } from '../guards.ts'
import { treasuryOf } from '../keys.ts'
import {
  type BuiltPayment,
  costWords,
  intentOf,
  networkOf,
  newIntentId,
  newlyBuilt,
} from '../transactions/building.ts'

/**
 * Builds the transaction that buys credit. From credit the service pays the network fees of payments to the
 * wallet's agents (lib/x402). It replaces the wallet's unsigned purchase.
 * @throws ApiError wallet_not_eligible, treasury_unavailable, funds_short, dependency_unavailable
 */
export async function buyCredit(
  deps: BuildDeps,
  wallet: Wallet,
  input: { amount: bigint },
): Promise<BuiltPayment> {
  const { settings } = deps
  requireEligible(settings, wallet)
  const { mint } = settings
  const treasury = await treasuryOf(settings)
  const { accounts, ...seen } = await lookUp(deps, {
    tokens: await associatedTokenAddress(wallet, mint),
    treasury,
  })
  requireTreasury(settings, accounts.treasury)
  const amount = cred(input.amount)
  requireFunds(accounts.tokens, { owner: wallet, mint }, amount)
  const id = newIntentId(deps)
  const keys = newestKeys(settings)
  const network = networkOf(deps, seen)
  const built = await buildPurchase({ id, owner: wallet, keys, mint, treasury, amount, network })
  const message = `Signing pays ${formatAmount(amount)} CRED to the treasury for the same amount of credit, which is not refundable. ${costWords(built)}`
  const intent = intentOf(deps, { id, wallet, keyVersion: keys.keyVersion, built, message, seen })
  await postgres.recordPaymentIntent.call(deps.db, { ...intent, kind: 'buy_credit', credit: amount })
  return newlyBuilt('buy_credit', intent)
}
