import { v7 as uuidv7 } from 'uuid'
import { expect, it, onTestFinished } from 'vitest'
import { endHire } from '../../lib/agents/hire-end-queries.ts'
import { requirePaymentGenerations } from '../../lib/cli/deploy-payments.ts'
import { createWallet } from '../../lib/cli/wallet.ts'
import { insertBudgetIntent } from '../../lib/payments/build-queries.ts'
import { recordMessage } from '../../lib/payments/cosign-queries.ts'
import { selectNeededGenerations } from '../../lib/payments/generation-queries.ts'
import { findIntent } from '../../lib/payments/intent-queries.ts'
import { recordOutcomes } from '../../lib/payments/settlement-queries.ts'
import type { Address } from '../../schema/address.ts'
import { cred } from '../../schema/amounts.ts'
import { connectDatabase, type DrizzleDb } from '../support/database.ts'
import { hiredAgent } from '../support/payments.ts'

const DAY = 86_400_000
/** The deployment goes by the machine's own time. */
const NOW = new Date()
const on = (days: number) => new Date(NOW.getTime() + days * DAY)

const addressOf = () => createWallet().publicKey as Address

/** A hire whose budget account approves collectors of any generation, past the API. */
async function budgetOf(db: DrizzleDb) {
  const now = NOW
  const hire = await hiredAgent(db, { hiredAt: now, autoRenew: true })
  const { id: hireId, agentId, owner, hirer } = hire
  const account = { address: addressOf(), seed: 'seed' }
  let recorded: typeof account | undefined
  return {
    ...hire,
    async build(generation: number): Promise<string> {
      const id = uuidv7()
      const built = { transaction: 'AQ==', message: 'm', lastValidBlockHeight: 1n, builtSlot: 1n }
      await insertBudgetIntent(db, 'fund_budget', {
        intent: { id, wallet: hirer, generation, ...built, now },
        hire: { hireId, agentId, owner, isOver: false, account: recorded },
        account,
        amount: cred(1n),
      })
      recorded = account
      return id
    },
    async land(id: string): Promise<void> {
      const signed = { message: 'AQ==', networkSignature: id, lastValidBlockHeight: 2n }
      await recordMessage(db, { id, wallet: hirer, ...signed, builtAfter: on(-1), now })
      const intent = await findIntent(db, id)
      if (!intent) throw new Error('no intent')
      await recordOutcomes({ db, now, feeStep: cred(1n) }, [{ intent, kind: 'landed' }])
    },
  }
}

it('a deployment that drops a payments generation which budget accounts approve is refused by its number', async () => {
  const { db, url, close } = await connectDatabase()
  onTestFinished(close)
  const needed = (now = NOW) => selectNeededGenerations(db, now)
  const budget = await budgetOf(db)
  await budget.land(await budget.build(1))
  expect(await needed()).toEqual([1])
  // What was built approves nothing yet.
  const second = await budget.build(2)
  expect(await needed()).toEqual([1, 2])
  await budget.land(second)
  expect(await needed()).toEqual([2])
  // Nor is anything to be collected once the hire's charges have lapsed.
  await endHire(db, { id: budget.id, wallet: budget.hirer, now: NOW })
  expect(await needed(on(29))).toEqual([2])
  expect(await needed(on(31))).toEqual([])
  const deploy = (...generations: number[]) => {
    const vars = {
      VAULT_MINT: addressOf(),
      VAULT_AUTHORITY_ADDRESSES: `1:${addressOf()}`,
      PAYMENTS_AUTHORITY_ADDRESSES: generations.map((name) => `${name}:${addressOf()}`).join(),
    }
    return requirePaymentGenerations([{ group: 'payments', vars }], { DATABASE_URL: url })
  }
  await deploy(1, 2)
  await deploy(2)
  await expect(deploy(1, 3)).rejects.toThrow(
    'lacks generation 2, whose collectors budget accounts still approve',
  )
  await requirePaymentGenerations([{ group: 'auth', vars: {} }], {})
})
