import pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import type { Db } from '../../lib/db/connect.ts'
import * as postgres from '../../lib/db/functions.ts'
import { deadlinePassed } from '../../lib/transactions/relay/limits.ts'
import { pauseKeyVersion, readKeyVersionState } from '../../lib/vault/breaker/switch-queries.ts'
import { findTransaction, type Intent, readVault } from '../../lib/vault/queries.ts'
import { selectDueOwners } from '../../lib/vault/settlement/job-run-queries.ts'
import { type Outcome, recordOutcomes } from '../../lib/vault/settlement/settlement-queries.ts'
import type { NewIntent } from '../../lib/vault/transactions/building.ts'
import { cred } from '../../schema/amounts.ts'
import type { Address, Wallet } from '../../schema/wallet.ts'
import { connectDatabase } from '../support/database.ts'
import { type ClaimLeg, insertClaim, insertStack, newIntent } from '../support/vault-intents.ts'

const NOW = new Date('2026-11-20T10:00:00Z')
const at = (ms: number) => new Date(NOW.getTime() + ms)
const LIMITS = { perWallet: cred(100n), perDay: cred(1_000n) }

let db: Db
let url: string
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, url, close } = await connectDatabase())
})
afterAll(() => close())

const times = <T>(count: number, action: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => action(index)))

const newOwner = () => createWallet().publicKey as Wallet
const newAddress = () => createWallet().publicKey as Address
let days = 0
const newDay = () => `2028-01-${String(++days).padStart(2, '0')}`

const terms = (amount = 10n) => ({ lockDays: 7, apyBps: 800, stakedAt: NOW, yield: cred(amount) })

async function buildStack(owner: Wallet, amount = 10n, more: Partial<NewIntent> = {}) {
  const intent = { ...newIntent(owner, NOW, 'wallet_first'), ...more }
  const leg = { address: newAddress(), principal: cred(1_000n) }
  await insertStack(db, { ...intent, ...terms(amount), yieldDay: '2027-12-01' }, leg, LIMITS)
  return intent
}

const reserve = async (owner: Wallet, day: string, amount: bigint) => {
  const intent = newIntent(owner, NOW)
  const leg = { address: newAddress(), principal: cred(1_000n) }
  const { recorded } = await insertStack(db, { ...intent, ...terms(amount), yieldDay: day }, leg, LIMITS)
  return recorded ? intent.id : undefined
}

/** Records a message of an intent, as the relay does before the authority signs it. */
const sign = (
  { id, owner }: Pick<NewIntent, 'id' | 'owner'>,
  message = 'one',
  { now = NOW, day = '2027-12-01', transaction = 'AQ==' } = {},
) =>
  postgres.cosignVaultIntent.call(db, {
    id,
    owner,
    transaction,
    message,
    networkSignature: `signature of ${message}`,
    lastValidBlockHeight: 300n,
    builtAfter: deadlinePassed(now),
    yieldDay: day,
    ...LIMITS,
    leaseEnd: now,
    now,
  })

async function intentOf(id: string): Promise<Intent> {
  const intent = (await findTransaction(db, id))?.intent
  if (!intent) throw new Error('no such intent')
  return intent
}

const outcome = (intent: Intent, kind: 'landed' | 'expired'): Outcome =>
  kind === 'expired'
    ? { kind, intent, isBlocked: false, isVaultOpen: true }
    : {
        kind,
        intent,
        balances: intent.legs.map(({ address, amount }) => ({ address, balance: amount })),
        slot: 2_000n,
      }
const settle = async (id: string, kind: 'landed' | 'expired') => {
  const intent = await intentOf(id)
  await recordOutcomes(db, intent.owner, [outcome(intent, kind)], NOW)
}

const takenOn = async (day: string) => {
  const { taken } = await readKeyVersionState(db, day)
  return taken && { landed: taken.landed, reserved: taken.reserved }
}
const hasRow = async (owner: Wallet) =>
  (await db.$client.query('select from vaults where owner = $1', [owner])).length > 0
const openStacks = async (owner: Wallet) => (await readVault(db, owner, NOW)).openStacks

/** An owner with an open position, and what a claim on it is recorded with. */
async function createHolder() {
  const owner = newOwner()
  const stack = newIntent(owner, NOW)
  const leg = { address: newAddress(), principal: cred(1_000n) }
  await insertStack(db, { ...stack, ...terms(0n), yieldDay: newDay() }, leg, LIMITS)
  await settle(stack.id, 'landed')
  const legs: ClaimLeg[] = [
    { address: leg.address, amount: cred(1n), balance: cred(1_000n), claimedBefore: cred(0n) },
  ]
  return { owner, legs }
}
const openClaimOf = async (owner: Wallet) => (await readVault(db, owner, NOW)).positions[0]?.openClaim

describe('the message of an intent', () => {
  it('is recorded once, of twenty that differ', async () => {
    const { owner, legs } = await createHolder()
    const claim = newIntent(owner, NOW, 'wallet_first')
    expect(await insertClaim(db, claim, legs)).toBe(true)
    const answers = await times(20, (index) => sign(claim, `message ${index}`))
    const winner = answers.findIndex(({ outcome }) => outcome === 'recorded')
    expect(answers.filter(({ outcome }) => outcome === 'recorded')).toHaveLength(1)
    expect(answers.filter(({ outcome }) => outcome === 'already_cosigned')).toHaveLength(19)
    expect(await intentOf(claim.id)).toMatchObject({
      cosignedMessage: `message ${winner}`,
      networkSignature: `signature of message ${winner}`,
      lastValidBlockHeight: 300n,
    })
    expect(await sign(claim, 'another', { now: at(240_000) })).toMatchObject({ outcome: 'already_cosigned' })
  })

  it('is not recorded for other owners, ended intents, service_first or late ones', async () => {
    const owner = newOwner()
    const stack = await buildStack(owner)
    const foreign = { ...stack, owner: newOwner() }
    expect(await sign(foreign)).toMatchObject({ outcome: 'not_found' })
    expect(await sign(stack, 'late', { now: at(300_000) })).toMatchObject({ outcome: 'over' })
    expect(await sign(stack, 'in time', { now: at(299_999) })).toMatchObject({ outcome: 'recorded' })
    const first = await reserve(owner, newDay(), 1n)
    expect(await sign({ ...stack, id: first ?? '' })).toMatchObject({ outcome: 'over' })
    const replaced = await buildStack(owner)
    const next = await buildStack(owner)
    expect(await sign(replaced)).toMatchObject({ outcome: 'not_found' })
    const other = { transaction: 'Ag==' }
    expect(await sign(next, 'of another transaction', other)).toMatchObject({ outcome: 'not_found' })
    expect((await intentOf(next.id)).cosignedMessage).toBeNull()
  })

  it('and its deletion exclude each other, whichever comes first', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { owner, legs } = await createHolder()
      const [old, next] = [newIntent(owner, NOW, 'wallet_first'), newIntent(owner, NOW, 'wallet_first')]
      await insertClaim(db, old, legs)
      const [signed, replaced] = await Promise.all([sign(old), insertClaim(db, next, legs, [old.id])])
      expect(signed.outcome).toBe(replaced ? 'not_found' : 'recorded')
      expect((await findTransaction(db, old.id))?.intent.status).toBe(replaced ? undefined : 'open')
      expect(await openClaimOf(owner)).toBe(replaced ? next.id : old.id)
    }
  })

  it('keeps what was read before it from ending the intent', async () => {
    const { owner, legs } = await createHolder()
    const claim = newIntent(owner, NOW, 'wallet_first')
    await insertClaim(db, claim, legs)
    const read = await intentOf(claim.id)
    await sign(claim)
    await recordOutcomes(db, owner, [outcome(read, 'expired')], NOW)
    expect((await intentOf(claim.id)).status).toBe('open')
    const asRead = await intentOf(claim.id)
    for (const changed of [{ lastValidBlockHeight: 150n }, { networkSignature: 'another' }]) {
      await recordOutcomes(db, owner, [outcome({ ...asRead, ...changed }, 'expired')], NOW)
      expect((await intentOf(claim.id)).status).toBe('open')
    }
    await recordOutcomes(db, owner, [outcome(asRead, 'expired')], NOW)
    expect((await intentOf(claim.id)).status).toBe('expired')
    expect(await openClaimOf(owner)).toBeNull()
  })

  it('and its deadline exclude each other, under any race', async () => {
    const owners = await times(10, async () => {
      const { owner, legs } = await createHolder()
      const claim = newIntent(owner, NOW, 'wallet_first')
      await insertClaim(db, claim, legs)
      return { owner, claim }
    })
    const now = at(300_000)
    // One Worker's clock is a second behind the other's.
    const [signed] = await Promise.all([
      Promise.all(owners.map(({ claim }) => sign(claim, 'one', { now: at(299_000) }))),
      times(4, () =>
        postgres.expireUnsignedVaultIntents.call(db, { builtBy: deadlinePassed(now), now, limit: 1_000 }),
      ),
    ])
    for (const [index, { owner, claim }] of owners.entries()) {
      const isSigned = signed[index]?.outcome === 'recorded'
      expect((await intentOf(claim.id)).status).toBe(isSigned ? 'open' : 'expired')
      expect(await openClaimOf(owner)).toBe(isSigned ? claim.id : null)
    }
  })
})

describe('a claim that replaces others', () => {
  it('replaces only unsigned claims that it has read, of its owner', async () => {
    const { owner, legs } = await createHolder()
    const [first, second, third] = [
      newIntent(owner, NOW, 'wallet_first'),
      newIntent(owner, NOW, 'wallet_first'),
      newIntent(owner, NOW, 'wallet_first'),
    ]
    expect(await insertClaim(db, first, legs)).toBe(true)
    expect(await insertClaim(db, second, legs)).toBe(false)
    expect(await insertClaim(db, second, legs, [uuidv7()])).toBe(false)
    expect(await insertClaim(db, second, legs, [first.id])).toBe(true)
    await sign(second)
    expect(await insertClaim(db, third, legs, [first.id, second.id])).toBe(false)
    expect(await openClaimOf(owner)).toBe(second.id)
    const other = await createHolder()
    const otherOwners = newIntent(other.owner, NOW, 'wallet_first')
    expect(await insertClaim(db, otherOwners, other.legs)).toBe(true)
    expect(await insertClaim(db, newIntent(owner, NOW, 'wallet_first'), other.legs, [otherOwners.id])).toBe(
      false,
    )
    const mine = newIntent(owner, NOW)
    expect(await insertClaim(db, mine, legs, [second.id, otherOwners.id])).toBe(false)
    expect((await intentOf(otherOwners.id)).status).toBe('open')
  })

  it('is the only one of twenty that replace the same claim', async () => {
    const { owner, legs } = await createHolder()
    const first = newIntent(owner, NOW, 'wallet_first')
    await insertClaim(db, first, legs)
    const answers = await times(20, (index) =>
      insertClaim(db, newIntent(owner, NOW, index % 2 ? 'service_first' : 'wallet_first'), legs, [first.id]),
    )
    expect(answers.filter(Boolean)).toHaveLength(1)
  })
})

describe('stacks that were not signed', () => {
  it('are one an owner, in any race, take nothing and schedule nothing', async () => {
    const owner = newOwner()
    const built = await times(20, () => buildStack(owner))
    const left = await Promise.all(built.map(({ id }) => findTransaction(db, id)))
    expect(left.filter((found) => found !== undefined)).toHaveLength(1)
    expect(await hasRow(owner)).toBe(false)
    expect(await openStacks(owner)).toBe(0)
    expect(await selectDueOwners(db, at(86_400_000), 10_000)).not.toContain(owner)
    await postgres.expireUnsignedVaultIntents.call(db, { builtBy: NOW, now: at(300_000), limit: 1_000 })
    expect((await readVault(db, owner, NOW)).openIntents).toEqual([])
    expect(await openStacks(owner)).toBe(0)
  })

  it('leave a row of the owner only when one is signed, in any race', async () => {
    for (let round = 0; round < 10; round += 1) {
      const owner = newOwner()
      const first = await buildStack(owner)
      const [signed] = await Promise.all([sign(first), times(4, () => buildStack(owner))])
      const isSigned = signed.outcome === 'recorded'
      expect(signed.outcome).toBe(isSigned ? 'recorded' : 'not_found')
      expect(await hasRow(owner)).toBe(isSigned)
      expect(await openStacks(owner)).toBe(isSigned ? 1 : 0)
      const open = (await readVault(db, owner, NOW)).openIntents
      expect(open.filter(({ cosignedAt }) => cosignedAt === null)).toHaveLength(1)
      expect(open).toHaveLength(isSigned ? 2 : 1)
    }
  })

  it('leave no row of an owner whose stack is refused', async () => {
    const [owner, day] = [newOwner(), '2029-01-01']
    expect(await reserve(owner, day, 51n)).toBeUndefined()
    const large = await buildStack(owner, 101n)
    expect(await sign(large, 'one', { day })).toMatchObject({ outcome: 'yield_limit' })
    expect(await hasRow(owner)).toBe(false)
  })

  it('are deleted by one that the service signs first', async () => {
    const owner = newOwner()
    const { id } = await buildStack(owner)
    expect(await reserve(owner, newDay(), 1n)).toBeDefined()
    expect(await findTransaction(db, id)).toBeUndefined()
    expect(await openStacks(owner)).toBe(1)
  })

  it('are not signed while the owner’s row is locked, then one by one, up to five', async () => {
    const owner = newOwner()
    const day = newDay()
    for (let count = 0; count < 5; count += 1) {
      expect(await sign(await buildStack(owner, 1n), 'one', { day })).toMatchObject({ outcome: 'recorded' })
    }
    expect(await openStacks(owner)).toBe(5)
    const sixth = await buildStack(owner, 1n)
    expect(await sign(sixth, 'one', { day })).toMatchObject({ outcome: 'too_many_open_stacks' })
    expect(await takenOn(day)).toEqual({ landed: 5n, reserved: 0n })
  })
})

describe('the limits on new yield', () => {
  it('are charged in full when the authority signs, and restored once by expired ones', async () => {
    const [owner, day] = [newOwner(), newDay()]
    const stack = await buildStack(owner, 100n)
    expect(await takenOn(day)).toBeUndefined()
    expect(await sign(stack, 'one', { day })).toMatchObject({ outcome: 'recorded' })
    expect(await takenOn(day)).toEqual({ landed: 100n, reserved: 0n })
    expect(await reserve(owner, day, 1n)).toBeUndefined()
    await times(5, () => settle(stack.id, 'expired'))
    expect(await takenOn(day)).toEqual({ landed: 0n, reserved: 0n })
    expect(await reserve(owner, day, 50n)).toBeDefined()
    const large = await buildStack(owner, 51n)
    expect(await sign(large, 'one', { day })).toMatchObject({ outcome: 'yield_limit', capacity: 50n })
    const next = await buildStack(owner, 50n)
    expect(await sign(next, 'one', { day })).toMatchObject({ outcome: 'recorded' })
    await times(5, () => settle(next.id, 'landed'))
    expect(await takenOn(day)).toEqual({ landed: 50n, reserved: 50n })
    expect(await openStacks(owner)).toBe(1)
    // A stack that was recorded as expired and turns out to have landed counts again, once.
    await times(3, () => settle(stack.id, 'landed'))
    expect(await takenOn(day)).toEqual({ landed: 150n, reserved: 50n })
  })

  it('are kept in parallel signing of many wallets, and of one', async () => {
    const day = newDay()
    const stacks = await times(30, () => buildStack(newOwner(), 90n))
    const answers = await Promise.all(stacks.map((stack) => sign(stack, 'one', { day })))
    expect(answers.filter(({ outcome }) => outcome === 'recorded')).toHaveLength(11)
    expect(await takenOn(day)).toEqual({ landed: 990n, reserved: 0n })
  })

  it('refuse what is stopped between building and signing', async () => {
    const stack = await buildStack(newOwner(), 1n, { keyVersion: 6 })
    await pauseKeyVersion(db, { keyVersion: 6, now: NOW, reason: 'test', isPublished: false })
    expect(await sign(stack, 'one', { day: newDay() })).toMatchObject({ outcome: 'stacking_paused' })
    expect((await intentOf(stack.id)).networkSignature).toBeNull()
  })
})

it('the table refuses a message without its signature', async () => {
  const { id } = await buildStack(newOwner())
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const half = client.query(`update vault_intents set cosigned_message = 'x' where id = $1`, [id])
  await expect(half).rejects.toThrow(/vault_intents_cosigned/)
  await client.end()
})
