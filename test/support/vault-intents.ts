import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../lib/db/connect.ts'
import * as postgres from '../../lib/db/functions.ts'
import { leaseEnd } from '../../lib/vault/lease-queries.ts'
import type { YieldLimits } from '../../lib/vault/stacking/admission.ts'
import type { NewIntent } from '../../lib/vault/transactions/building.ts'
import { type Cred, cred } from '../../schema/amounts.ts'
import type { Address, Wallet } from '../../schema/wallet.ts'

/* Recording what was built in the vault, past the API. */

/** Limits that nothing reaches. */
export const FAR_LIMITS: YieldLimits = { perWallet: cred(10n ** 18n), perDay: cred(10n ** 18n) }

/** Makes an intent as the service records it for a built transaction. */
export const newIntent = (
  owner: Wallet,
  now: Date,
  signing: NewIntent['signing'] = 'service_first',
): NewIntent => ({
  id: uuidv7(),
  owner,
  keyVersion: 1,
  signing,
  transaction: 'AQ==',
  message: 'Signing does something.',
  lastValidBlockHeight: 150n,
  builtSlot: 1_000n,
  now,
})

type Terms = { lockDays: number; apyBps: number; stakedAt: Date; yield: Cred }
type StackLeg = { address: Address; principal: Cred }

/** Records a stack: with the day that it counts on and its limits, where the authority signs it now. */
export async function insertStack(
  db: Db,
  intent: NewIntent & Terms & { yieldDay: string },
  leg: StackLeg,
  limits: YieldLimits,
) {
  const { outcome, capacity } = await postgres.recordStack.call(db, {
    ...intent,
    ...leg,
    ...limits,
    kind: 'stack',
    buildsPerAddress: 0,
    leaseEnd: leaseEnd(intent.now),
  })
  return { recorded: outcome === 'recorded', outcome, capacity }
}

/** One position of a claim: what it pays, and the state of the position that this was computed from. */
export type ClaimLeg = { address: Address; amount: Cred; balance: Cred; claimedBefore: Cred }

/** Records a claim. Returns whether it was recorded. */
export async function insertClaim(
  db: Db,
  intent: NewIntent,
  legs: ClaimLeg[],
  replaces: string[] = [],
): Promise<boolean> {
  const { outcome } = await postgres.recordClaim.call(db, {
    ...intent,
    addresses: legs.map(({ address }) => address),
    amounts: legs.map(({ amount }) => amount),
    balances: legs.map(({ balance }) => balance),
    claimedBefore: legs.map(({ claimedBefore }) => claimedBefore),
    replaces,
  })
  return outcome === 'recorded'
}

/** Records an unstack. Returns whether it was recorded. */
export async function insertUnstack(
  db: Db,
  intent: NewIntent,
  leg: { address: Address; balance: Cred },
): Promise<boolean> {
  const { outcome } = await postgres.recordWithdrawal.call(db, {
    ...intent,
    ...leg,
    kind: 'unstack',
  })
  return outcome === 'recorded'
}
