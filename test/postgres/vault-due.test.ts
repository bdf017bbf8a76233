import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import { type Due, recordDue, takeDue } from '../../lib/vault/settlement/due-queries.ts'
import type { Outcome } from '../../lib/vault/settlement/settlement-queries.ts'
import { cred } from '../../schema/amounts.ts'
import type { Address, Wallet } from '../../schema/wallet.ts'
import { connectDatabase, type DrizzleDb } from '../support/database.ts'
import { insertStack } from '../support/vault-intents.ts'

const NOW = new Date('2026-11-20T10:00:00Z')
const at = (ms: number) => new Date(NOW.getTime() + ms)
const LIMITS = { perWallet: cred(10n ** 12n), perDay: cred(10n ** 15n) }

let db: DrizzleDb
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await connectDatabase())
})
afterAll(() => close())

const times = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))
const newOwner = () => createWallet().publicKey as Wallet

let days = 0
const newDay = () => {
  days += 1
  return new Date(Date.UTC(2030, 0, days)).toISOString().slice(0, 10)
}

async function build(owner: Wallet, yieldDay: string, yielded: bigint, now = NOW) {
  const intent = {
    ...{ id: uuidv7(), owner, keyVersion: 1, signing: 'service_first' as const, now },
    ...{ transaction: 'AQ==', message: 'm', lastValidBlockHeight: 150n, builtSlot: 1_000n },
  }
  const terms = { lockDays: 7, apyBps: 800, stakedAt: NOW, yield: cred(yielded), yieldDay }
  const leg = { address: newOwner() as Address, principal: cred(1n) }
  expect(await insertStack(db, { ...intent, ...terms }, leg, LIMITS)).toMatchObject({ recorded: true })
}

const due = (day: string, more: Partial<Due> = {}): Due => ({
  ...{ day, hasLease: false, leaseEnd: at(58_000), signedBy: at(20_000), askedBy: at(50_000) },
  ...{ limit: 50, askedAt: at(60_000) },
  ...more,
})
const ended = (intent: Outcome['intent']): Outcome => ({
  ...{ kind: 'expired', intent, isBlocked: false, isVaultOpen: false },
})
const day = async (name: string) => {
  const query = 'select reserved, landed from vault_yield_days where day = $1'
  const [row] = await db.$client.query(query, [name])
  return { reserved: BigInt(row?.reserved), landed: BigInt(row?.landed) }
}

describe('a stack that reserves yield', () => {
  it('is asked about by one of twenty callers, and by another two seconds later', async () => {
    const name = newDay()
    for (let n = 1; n <= 3; n += 1) await build(newOwner(), name, BigInt(n))
    const answers = await times(20, () => takeDue(db, due(name)))
    expect(answers.map(({ outcome }) => outcome).sort()).toEqual([...Array(19).fill('busy'), 'taken'])
    const [taken] = answers.filter(({ outcome }) => outcome === 'taken')
    expect(taken?.stacks.map((stack) => stack.yield)).toEqual([3n, 2n, 1n])
    const later = { leaseEnd: at(60_000), askedBy: at(52_000), askedAt: at(62_000) }
    expect((await takeDue(db, due(name, { leaseEnd: at(59_999) }))).outcome).toBe('busy')
    // Their owners were asked about just now.
    expect((await takeDue(db, due(name, later))).outcome).toBe('nothing_due')
    const again = { leaseEnd: at(60_000), askedBy: at(60_000), askedAt: at(70_000) }
    expect((await takeDue(db, due(name, again))).stacks).toHaveLength(3)
  })

  it('is due by its yield, largest first, not without yield or just after signing', async () => {
    const name = newDay()
    for (const yielded of [5n, 900n, 70n, 0n]) await build(newOwner(), name, yielded)
    await build(newOwner(), name, 1_000n, at(30_000))
    // Ends the intents of the tests before.
    await db.$client.query("update vault_intents set status = 'expired' where yield_day <> $1", [name])
    const first = await takeDue(db, due(name, { limit: 2 }))
    expect(first.stacks.map((stack) => stack.yield)).toEqual([900n, 70n])
    const next = due(name, { limit: 2, hasLease: true, askedAt: at(60_001) })
    const { stacks } = await recordDue(db, first.stacks.map(ended), { now: at(60_000), next })
    expect(stacks.map((stack) => stack.yield)).toEqual([5n])
    expect(await day(name)).toEqual({ reserved: 1_005n, landed: 0n })
  })

  it('is released once, in any race of owners and settlements', async () => {
    const name = newDay()
    const owners = Array.from({ length: 30 }, newOwner)
    for (const owner of owners) await build(owner, name, 100n)
    const { stacks } = await takeDue(db, due(name))
    expect(stacks).toHaveLength(30)
    const orders = [stacks, stacks.toReversed(), stacks.toSorted((a, b) => (a.owner < b.owner ? 1 : -1))]
    await Promise.all([
      ...[...orders, ...orders].map((order, n) => {
        const next = due(name, { hasLease: true, limit: 0, askedAt: at(61_000 + n) })
        return recordDue(db, order.map(ended), { now: at(60_000), next })
      }),
      ...owners.map((owner) => build(owner, name, 1n, at(60_000))),
      ...owners.toReversed().map((owner) => build(owner, name, 1n, at(60_000))),
    ])
    expect(await day(name)).toEqual({ reserved: 60n, landed: 0n })
  })
})
