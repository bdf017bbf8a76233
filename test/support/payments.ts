import { ApiError } from '../../lib/api-error.ts'
import type { Db } from '../../lib/db/connect.ts'
import { chargeHire } from '../../lib/payments/charges/charge.ts'
import { voidCharge } from '../../lib/payments/charges/void.ts'
import type { FeeModel } from '../../schema/values.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { tryToHire } from './hires.ts'
import { insertAgent, newWallet } from './stored-agents.ts'

/** An agent and a hire of it, past the API, and what its owner can do. */
export async function hiredAgent(
  db: Db,
  {
    hiredAt,
    feeModel = 'flat',
    feeAmount = 1n,
    budgetLimit,
    autoRenew = false,
    termDays = 30,
    owner = newWallet(),
    hirer = newWallet(),
  }: {
    hiredAt: Date
    feeModel?: FeeModel
    feeAmount?: bigint
    budgetLimit?: bigint
    autoRenew?: boolean
    termDays?: number
    owner?: Wallet
    hirer?: Wallet
  },
) {
  const agentId = crypto.randomUUID()
  const id = crypto.randomUUID()
  await insertAgent(db, {
    id: agentId,
    pubkey: owner,
    name: 'Agent',
    agentType: 'oracle',
    supportedLayers: [1, 2],
    feeModel,
    feeAmount,
    registeredAt: hiredAt,
  })
  await tryToHire(db, {
    id,
    wallet: hirer,
    agentId,
    budgetLimit,
    autoRenew,
    termDays,
    now: hiredAt,
  })
  const at = (now: Date) => ({ db, now, notify: () => {}, schedule: () => {}, chargesPerAddress: 1_000_000 })
  return {
    id,
    agentId,
    owner,
    hirer,
    /** Charges as the owner does. @returns the charge, or the refusal */
    charge: (now: Date, work: Partial<Parameters<typeof chargeHire>[2]> = {}) =>
      orApiError(chargeHire(at(now), owner, { hireId: id, reference: crypto.randomUUID(), ...work }, owner)),
    void: (now: Date, chargeId: string) => orApiError(voidCharge(at(now), owner, chargeId)),
  }
}

const orApiError = <T>(result: Promise<T>): Promise<T | ApiError> =>
  result.catch((error: unknown) => {
    if (error instanceof ApiError) return error
    throw error
  })

/** What came of it: the code of a refusal, else what has become of the charge. */
export const outcomeOf = (result: ApiError | { state: string }): string =>
  result instanceof ApiError ? result.code : result.state
