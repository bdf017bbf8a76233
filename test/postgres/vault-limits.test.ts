import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import type { Db } from '../../lib/db/connect.ts'
import {
  pauseKeyVersion,
  readKeyVersionState,
  resumeKeyVersion,
} from '../../lib/vault/breaker/switch-queries.ts'
import { findTransaction } from '../../lib/vault/queries.ts'
import { type Outcome, recordOutcomes } from '../../lib/vault/settlement/settlement-queries.ts'
import { cred } from '../../schema/amounts.ts'
import type { Address, Wallet } from '../../schema/wallet.ts'
import { connectDatabase } from '../support/database.ts'
import { insertStack, newIntent } from '../support/vault-intents.ts'

const NOW = new Date('2026-11-20T10:00:00Z')
const LIMITS = { perWallet: cred(100n), perDay: cred(1_000n) }

let db: Db
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await connectDatabase())
})
afterAll(() => close())

const newOwner = () => createWallet().publicKey as Wallet
let days = 0
/** A day of its own for each test. */
const newDay = () => `2027-01-${String(++days).padStart(2, '0')}`

async function build(owner: Wallet, day: string, amount: bigint, keyVersion = 1) {
  const intent = newIntent(owner, NOW)
  const admission = await insertStack(
    db,
    {
      ...intent,
      keyVersion,
      lockDays: 7,
      apyBps: 800,
      stakedAt: NOW,
      yield: cred(amount),
      yieldDay: day,
    },
    { address: createWallet().publicKey as Address, principal: cred(1_000n) },
    LIMITS,
  )
  return { id: intent.id, ...admission }
}

const keys = { keyVersion: 1, authority: 'a' as Address, recovery: 'r' as Address }

async function settle(owner: Wallet, id: string, kind: 'landed' | 'expired' | 'failed' | 'left') {
  const intent = (await findTransaction(db, id))?.intent
  if (!intent) throw new Error('no such intent')
  const balances = intent.legs.map(({ address, amount }) => ({ address, balance: amount }))
  const outcomes: Record<typeof kind, Outcome> = {
    landed: { kind: 'landed', intent, balances, slot: 2_000n },
    expired: { kind: 'expired', intent, isBlocked: false, isVaultOpen: true },
    failed: { kind: 'failed', intent, reason: 'vault_foreign', keys },
    left: { kind: 'failed', intent, reason: 'left_before_seen', keys },
  }
  await recordOutcomes(db, owner, [outcomes[kind]], NOW)
}

const takenOn = async (day: string) => {
  const { taken } = await readKeyVersionState(db, day)
  return taken && { landed: taken.landed, reserved: taken.reserved }
}

describe('the limits on new yield', () => {
  it('for one wallet are kept in parallel: at most half of it is unconfirmed', async () => {
    const [owner, day] = [newOwner(), newDay()]
    const built = await Promise.all(Array.from({ length: 20 }, () => build(owner, day, 20n)))
    expect(built.filter(({ recorded }) => recorded)).toHaveLength(2)
    expect(built.find(({ recorded }) => !recorded)).toMatchObject({ outcome: 'yield_limit', capacity: 10n })
    expect(await takenOn(day)).toEqual({ landed: 0n, reserved: 40n })
  })

  it('for all wallets are kept in parallel stacks of many', async () => {
    const day = newDay()
    const built = await Promise.all(Array.from({ length: 40 }, () => build(newOwner(), day, 50n)))
    expect(built.filter(({ recorded }) => recorded)).toHaveLength(10)
    expect(await takenOn(day)).toEqual({ landed: 0n, reserved: 500n })
  })

  it('count a confirmed stack in full, and restore expired or failed ones once', async () => {
    const [owner, day] = [newOwner(), newDay()]
    const [one, two] = [await build(owner, day, 25n), await build(owner, day, 25n)]
    expect((await build(owner, day, 1n)).recorded).toBe(false)
    await Promise.all(Array.from({ length: 8 }, () => settle(owner, one.id, 'landed')))
    await Promise.all(Array.from({ length: 8 }, () => settle(owner, two.id, 'expired')))
    expect(await takenOn(day)).toEqual({ landed: 25n, reserved: 0n })
    const [three, four] = [await build(owner, day, 40n), await build(owner, day, 10n)]
    expect([three.recorded, four.recorded]).toEqual([true, true])
    await settle(owner, three.id, 'landed')
    await settle(owner, four.id, 'failed')
    expect(await takenOn(day)).toEqual({ landed: 65n, reserved: 0n })
    // 35 of 100 are left.
    expect((await build(owner, day, 36n)).recorded).toBe(false)
    expect((await build(owner, day, 35n)).recorded).toBe(true)
  })

  it('count a stack that landed after it was recorded as expired, on its own day', async () => {
    const [owner, day, next] = [newOwner(), newDay(), newDay()]
    const { id } = await build(owner, day, 50n)
    await settle(owner, id, 'expired')
    expect((await build(owner, next, 50n)).recorded).toBe(true)
    await settle(owner, id, 'landed')
    expect(await takenOn(day)).toEqual({ landed: 50n, reserved: 0n })
    expect(await takenOn(next)).toEqual({ landed: 0n, reserved: 50n })
  })

  it('take a stack without yield when there is no room left', async () => {
    const [owner, day] = [newOwner(), newDay()]
    await build(owner, day, 50n)
    expect((await build(owner, day, 0n)).recorded).toBe(true)
  })
})

describe('a key version that is stopped', () => {
  it('takes no stack, others do; a stack paid out unseen stops it and counts', async () => {
    const [owner, day] = [newOwner(), newDay()]
    const { id } = await build(owner, day, 50n, 8)
    await settle(owner, id, 'left')
    expect(await takenOn(day)).toEqual({ landed: 50n, reserved: 0n })
    expect(await build(owner, day, 1n, 8)).toMatchObject({ outcome: 'stacking_paused' })
    expect((await build(owner, day, 1n, 9)).recorded).toBe(true)
    expect(await resumeKeyVersion(db, 8)).toBe(true)
    expect((await build(owner, day, 1n, 8)).recorded).toBe(true)
  })

  it('stays so for good once its recovery key is public', async () => {
    const pause = { keyVersion: 7, now: NOW, reason: 'published', isPublished: true }
    await pauseKeyVersion(db, pause)
    expect(await resumeKeyVersion(db, 7)).toBe(false)
    expect(await build(newOwner(), newDay(), 1n, 7)).toMatchObject({ outcome: 'stacking_paused' })
  })
})
