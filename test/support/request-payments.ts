import { randomBytes, randomUUID } from 'node:crypto'
import type { Db } from '../../lib/db/connect.ts'
import * as postgres from '../../lib/db/functions.ts'
import { addressOf } from '../../lib/solana/address.ts'
import { LEASE_MS } from '../../lib/x402/rules.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { ONE_CRED } from './paid.ts'
import { newWallet, storeAgent } from './stored-agents.ts'

/* Payments for requests past the API, by the functions that the use cases call. */

export const asset = addressOf(new Uint8Array(32).fill(21))
export const AMOUNT = 1_000n
export const NETWORK_FEE = 10_001n
export const DEBIT = 10_001_000n
/** What AMOUNT weighs by, at a fee of one percent. */
export const FEE = 10n
export const FEES_PER_DAY = 1_000_000_000n

export const at = (seconds: number) => new Date(Date.UTC(2026, 5, 1, 12) + seconds * 1000)

/** A payment that its payer has signed, and what the call that brings it has read. */
export type Signed = {
  messageHash: string
  payer: Wallet
  source: string
  amount: bigint
  priceName?: string
  identifierHash?: string
  networkFee: bigint
  debit: bigint
  fee: bigint | null
  balance: bigint
  balanceSlot: bigint
  feesPerDay: bigint
}

export const signed = (changes: Partial<Signed> = {}): Signed => ({
  messageHash: randomBytes(32).toString('hex'),
  payer: newWallet(),
  source: newWallet(),
  amount: AMOUNT,
  networkFee: NETWORK_FEE,
  debit: DEBIT,
  fee: FEE,
  balance: 1_000_000_000n,
  balanceSlot: 100n,
  feesPerDay: FEES_PER_DAY,
  ...changes,
})

/** An active agent with a key and one price, whose owner has so much credit. */
export async function payableAgent(
  db: Db,
  { credit = DEBIT * 1_000n, owner = newWallet(), price = asset } = {},
) {
  const agent = await storeAgent(db, owner, at(-86_400))
  const key = await postgres.makeFacilitatorKey.call(db, { agentId: agent.id, owner, now: at(-86_400) })
  const setPrices = (prices: [name: string, amount: bigint][], now: Date) =>
    postgres.setRequestPrices.call(db, {
      agentId: agent.id,
      owner,
      names: prices.map(([name]) => name),
      assets: prices.map(() => price),
      amounts: prices.map(([, amount]) => amount),
      cred: price,
      ...{ addressHash: owner, changesPerAddress: 1_000 },
      now,
    })
  await setPrices([['call', AMOUNT]], at(-86_400))
  if (credit > 0n) await buy(db, owner, credit)
  const keyVersion = key.generation ?? 0
  return {
    id: agent.id,
    owner,
    generation: keyVersion,
    setPrices,
    ...callsOf(db, { agentId: agent.id, keyVersion }),
  }
}

export const buy = (db: Db, owner: Wallet, amount: bigint, id: string = randomUUID()) =>
  postgres.recordCredit.call(db, { id, owner, amount, now: at(-80_000) })

/** A call to settle: its lease, and the answer that it got. */
type Held = {
  id: string | null
  lease: string
  outcome: string
  transaction: string | null
  networkSignature: string | null
}

const answered = (
  db: Db,
  { id, lease }: Held,
  seen: string,
  now: Date,
  rest: { slot: bigint; isPayersFault: boolean; isDeclared: boolean },
) => postgres.answerRequestPayment.call(db, { id: id ?? '', lease, seen, feeStep: ONE_CRED, now, ...rest })

function callsOf(db: Db, key: { agentId: string; keyVersion: number }) {
  return {
    settle: async (
      payment: Signed,
      now: Date,
      changes: { keyVersion?: number; isDeclared?: boolean } = {},
    ): Promise<Held> => {
      const lease = randomUUID()
      const answer = await postgres.settleRequestPayment.call(db, {
        ...key,
        ...payment,
        isDeclared: false,
        ...changes,
        id: randomUUID(),
        asset,
        transaction: `bytes of ${payment.messageHash} by ${lease}`,
        networkSignature: `signature of ${payment.messageHash}`,
        lastValidBlockHeight: 150n,
        lease,
        leasedUntil: new Date(now.getTime() + LEASE_MS),
        now,
      })
      return { ...answer, lease }
    },
    verify: async ({ priceName: _, ...payment }: Signed, now: Date) =>
      (await postgres.verifyRequestPayment.call(db, { ...key, ...payment, asset, now })).outcome,
    answer: async (held: Held, seen: string, now: Date, { slot = 200n, isPayersFault = false } = {}) =>
      (await answered(db, held, seen, now, { slot, isPayersFault, isDeclared: false })).outcome,
    /** Answers a settled payment whose server declared its route. @returns what is stored of the route */
    answerDeclared: async (held: Held, now: Date, isDeclared = true) => {
      const seen = { slot: 200n, isPayersFault: false, isDeclared }
      const { routeState, routeCode, probeAt } = await answered(db, held, 'settled', now, seen)
      return { state: routeState, code: routeCode, probeAt }
    },
    /** Records outcomes, like the job. */
    record: (
      held: Held[],
      outcome: string,
      now: Date,
      { slot = 200n, isPayersFault = false, feeStep = ONE_CRED } = {},
    ) =>
      postgres.recordRequestOutcomes.call(db, {
        ids: held.map(({ id }) => id ?? ''),
        outcomes: held.map(() => outcome),
        slots: held.map(() => slot),
        payersFaults: held.map(() => isPayersFault),
        feeStep,
        now,
      }),
  }
}
