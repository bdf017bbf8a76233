import { v7 as uuidv7 } from 'uuid'
import { createWallet } from '../../lib/cli/wallet.ts'
import * as postgres from '../../lib/db/functions.ts'
import { recordCollection } from '../../lib/payments/collections/collect.ts'
import type { CollectedLeg } from '../../lib/payments/collections/collection-plan.ts'
import { selectDue } from '../../lib/payments/collections/due-queries.ts'
import { findIntent, type NewIntent } from '../../lib/payments/transactions/intent-queries.ts'
import { deadlinePassed } from '../../lib/transactions/relay/limits.ts'
import { cred } from '../../schema/amounts.ts'
import type { Address, Wallet } from '../../schema/wallet.ts'
import type { DrizzleDb } from './database.ts'
import { hiredAgent } from './payments.ts'

/* Collections in the database alone, without a chain. */

/** The bytes of every transaction that is built here. */
const TRANSACTION = 'AQ=='

/** Makes an intent as the service records it for a built transaction. */
export const newIntent = (wallet: Wallet, now: Date): NewIntent => ({
  id: uuidv7(),
  wallet,
  keyVersion: 1,
  transaction: TRANSACTION,
  message: 'Signing does something.',
  lastValidBlockHeight: 150n,
  builtSlot: 1_000n,
  now,
})

export const newAddress = () => createWallet().publicKey as Address

/** A funding of a hire, by default at the address that was read. */
export const fundingOf = (
  { id: hireId, hirer }: Awaited<ReturnType<typeof hiredAgent>>,
  { now, before = newAddress(), address = before }: { now: Date; before?: Address; address?: Address },
) => ({
  ...newIntent(hirer, now),
  kind: 'fund_budget',
  hireId,
  address,
  seed: 'seed',
  addressBefore: before,
  amount: cred(100n),
})

/** Makes the record of an intent that the relay is to sign. */
export const messageOf = (id: string, wallet: Wallet, now: Date, message = 'bWVzc2FnZQ==') => ({
  id,
  wallet,
  transaction: TRANSACTION,
  message,
  networkSignature: `signature of ${message}`,
  lastValidBlockHeight: 400n,
  builtAfter: deadlinePassed(now),
  now,
})

/** Makes hires with charges, and collections of these, at one time. */
export function collectionsIn(db: DrizzleDb, now: Date) {
  /** A hire with a budget account and charges of these amounts. */
  const charged = (...amounts: bigint[]) => chargedBy(undefined, ...amounts)

  async function chargedBy(by: Wallet | undefined, ...amounts: bigint[]) {
    const hiredAt = new Date(now.getTime() - 1_000)
    const hire = await hiredAgent(db, { hiredAt, ...(by ? { owner: by } : {}) })
    const funding = fundingOf(hire, { now })
    await postgres.recordPaymentIntent.call(db, funding)
    await postgres.cosignPayment.call(db, messageOf(funding.id, hire.hirer, now))
    for (const units of amounts) await hire.charge(now, { units })
    return hire
  }

  const dueOf = async (owner: Wallet) =>
    (await selectDue(db, { owner, now, accounts: 10, undiscovered: 10, charges: 10 })).due

  /** Takes all that is due to an owner into a collection. */
  async function collected(owner: Wallet) {
    const legs = (await dueOf(owner)).map(({ hireId, address, charges }): CollectedLeg => {
      const amount = cred(charges.reduce((sum, charge) => sum + charge.amount, 0n))
      return { hireId, address, amount, fee: cred(1n), charges }
    })
    const intent = { ...newIntent(owner, now), feeBps: 100 }
    const hires = legs.map(({ hireId }) => hireId)
    if (legs.length === 0) return { id: intent.id, isRecorded: false }
    return { id: intent.id, isRecorded: await recordCollection(db, intent, { legs, readHires: hires }) }
  }

  async function signedCollection(owner: Wallet) {
    const { id } = await collected(owner)
    await postgres.cosignPayment.call(db, messageOf(id, owner, now))
    const intent = await findIntent(db, id)
    if (!intent) throw new Error('no intent')
    return intent
  }

  return { charged, chargedBy, dueOf, collected, signedCollection }
}
