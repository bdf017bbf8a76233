import { describe, expect, it } from 'vitest'
import type { BudgetState } from '../../../lib/payments/chain/budget-account.ts'
import { MAX_CHARGES, planOf } from '../../../lib/payments/collections/collection-plan.ts'
import { cred } from '../../../schema/amounts.ts'
import type { Address, Wallet } from '../../../schema/wallet.ts'

const open = (balance: bigint, more: Partial<Extract<BudgetState, { kind: 'open' }>> = {}): BudgetState => ({
  kind: 'open',
  balance: cred(balance),
  allowance: cred(balance),
  keyVersion: 1,
  isFrozen: false,
  ...more,
})

let count = 0
const account = (state: BudgetState, amounts: bigint[], failedAt: Date | null = null) => {
  count += 1
  return {
    hireId: `hire ${count}`,
    hirer: 'hirer' as Wallet,
    address: `account ${count}` as Address,
    failedAt,
    charges: amounts.map((amount, index) => ({ id: `${count}/${index}`, amount, replaces: null })),
    state,
  }
}

const plan = (due: ReturnType<typeof account>[], ownerTokens: 'open' | 'absent' = 'open') =>
  planOf(due, { ownerTokens, feeBps: 100 })

describe('a collection', () => {
  it('takes the oldest charges that each account pays in full, past a too large one', () => {
    const found = plan([account(open(10n), [4n, 9n, 6n, 1n])])
    expect(found?.legs.map(({ amount, charges }) => [amount, charges.length])).toEqual([[10n, 2]])
  })

  it('takes the smaller of balance and allowance, nothing from unusable accounts', () => {
    expect(plan([account(open(10n, { allowance: cred(3n) }), [4n])])).toBeUndefined()
    expect(plan([account(open(10n, { isFrozen: true }), [4n])])).toBeUndefined()
    expect(plan([account(open(10n, { keyVersion: undefined }), [4n])])).toBeUndefined()
    expect(plan([account({ kind: 'absent', lamports: 5n }, [4n])])).toBeUndefined()
    expect(plan([account({ kind: 'foreign' }, [4n])])).toBeUndefined()
    expect(plan([])).toBeUndefined()
  })

  it('is of as many accounts as fit, in their order', () => {
    const due = Array.from({ length: 9 }, () => account(open(10n), [4n]))
    expect(plan(due)?.legs.map(({ hireId }) => hireId)).toEqual(due.slice(0, 6).map(({ hireId }) => hireId))
    expect(plan(due, 'absent')?.legs).toHaveLength(5)
  })

  it('takes from accounts of one key version, that of the first that can pay', () => {
    const due = [
      account(open(1n), [4n]),
      account(open(10n, { keyVersion: 2 }), [4n]),
      account(open(10n), [4n]),
      account(open(10n, { keyVersion: 2 }), [4n]),
    ]
    expect(plan(due)).toMatchObject({ keyVersion: 2 })
    expect(plan(due)?.legs).toHaveLength(2)
  })

  it('is of an account alone that was in a collection which failed, after all others', () => {
    const failed = [account(open(10n), [4n], new Date(1)), account(open(10n), [4n], new Date(2))]
    const sound = [account(open(10n), [4n]), account(open(10n), [4n])]
    expect(plan([...failed, ...sound])?.legs.map(({ hireId }) => hireId)).toEqual(
      sound.map(({ hireId }) => hireId),
    )
    expect(plan(failed)?.legs).toHaveLength(1)
  })

  it('is of at most a hundred charges', () => {
    const many = (length: number) =>
      account(
        open(1_000n),
        Array.from({ length }, () => 1n),
      )
    expect(plan([many(150)])?.legs[0]?.charges).toHaveLength(MAX_CHARGES)
    expect(plan([many(60), many(60), many(40)])?.legs.map(({ charges }) => charges.length)).toEqual([60, 40])
  })
})
