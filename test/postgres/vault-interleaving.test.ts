import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import { connect, type Db } from '../../lib/db/connect.ts'
import { createSubrequestCounter } from '../../lib/runtime/subrequests.ts'
import { DAY_MS } from '../../lib/time.ts'
import type { Observation } from '../../lib/vault/breaker/observation.ts'
import { recordObservations } from '../../lib/vault/breaker/observation-queries.ts'
import { findTransaction, type Intent, type PositionRow, readVault } from '../../lib/vault/queries.ts'
import { selectStacksToRecheck } from '../../lib/vault/settlement/job-run-queries.ts'
import { type Outcome, recordOutcomes } from '../../lib/vault/settlement/settlement-queries.ts'
import { cred } from '../../schema/amounts.ts'
import type { Address, Wallet } from '../../schema/wallet.ts'
import { connectDatabase } from '../support/database.ts'
import { untilWaiting, whileLocked } from '../support/locks.ts'
import {
  type ClaimLeg,
  FAR_LIMITS,
  insertClaim,
  insertStack,
  insertUnstack,
  newIntent,
} from '../support/vault-intents.ts'

const NOW = new Date('2026-11-20T10:00:00Z')
const PRINCIPAL = cred(1_000n)
const ESCROWED = cred(1_100n)

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

const buildStack = async (owner: Wallet) => {
  const intent = newIntent(owner, NOW)
  const terms = { lockDays: 7, apyBps: 800, stakedAt: NOW }
  const { recorded } = await insertStack(
    db,
    { ...intent, ...terms, yield: cred(100n), yieldDay: '2026-11-20' },
    { address: newAddress(), principal: PRINCIPAL },
    FAR_LIMITS,
  )
  return recorded ? intent.id : undefined
}

async function intentOf(id: string | undefined): Promise<Intent> {
  const intent = (await findTransaction(db, id ?? ''))?.intent
  if (!intent) throw new Error('no such intent')
  return intent
}

const landed = (intent: Intent, balance: bigint): Outcome => ({
  kind: 'landed',
  intent,
  balances: intent.legs.map(({ address }) => ({ address, balance: cred(balance) })),
  slot: 1_001n,
})
const expired = (intent: Intent): Outcome => ({
  kind: 'expired',
  intent,
  isBlocked: false,
  isVaultOpen: true,
})

const record = (owner: Wallet, ...[first, ...rest]: [Outcome, ...Outcome[]]) =>
  recordOutcomes(db, owner, [first, ...rest], NOW)

const vaultOf = async (owner: Wallet) => {
  const { lease: _, ...recorded } = await readVault(db, owner, NOW)
  return recorded
}

/** An owner with open positions. */
async function createHolder(count: number): Promise<{ owner: Wallet; positions: PositionRow[] }> {
  const owner = newOwner()
  for (let index = 0; index < count; index += 1) {
    await record(owner, landed(await intentOf(await buildStack(owner)), ESCROWED))
  }
  const { positions } = await vaultOf(owner)
  expect(positions.map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, id) => id))
  return { owner, positions }
}

/** What a claim computed from these rows would be recorded with. */
const legsOf = (rows: PositionRow[], amount = 10n): ClaimLeg[] =>
  rows.map(({ address, claimed, escrowed }) => ({
    address,
    amount: cred(amount),
    balance: escrowed,
    claimedBefore: claimed,
  }))

async function claimOf(owner: Wallet, rows: PositionRow[], amount?: bigint): Promise<string | undefined> {
  const intent = newIntent(owner, NOW)
  return (await insertClaim(db, intent, legsOf(rows, amount))) ? intent.id : undefined
}

const gone = (row: PositionRow): Observation => ({
  row,
  status: 'withdrawn',
  balance: cred(0n),
  isEarly: false,
})
const ownerOf = ([row]: PositionRow[]): Wallet => row?.owner ?? newOwner()
const some = (rows: PositionRow[], ...ids: number[]) => rows.filter(({ id }) => ids.includes(id))
const holds = async (owner: Wallet) => (await vaultOf(owner)).positions.map(({ openClaim }) => openClaim)
const claimedBy = async (owner: Wallet) => (await vaultOf(owner)).positions.map(({ claimed }) => claimed)

const whileHeld = <T>(
  row: string,
  id: string,
  waiting: number,
  action: () => Promise<T>,
  change?: string,
): Promise<T> => whileLocked({ url, lock: `select from ${row} = $1 for update`, id, waiting, change }, action)

describe('a claim computed from what was claimed before a settlement', () => {
  it('is not recorded after it', async () => {
    const { owner, positions } = await createHolder(1)
    const first = await claimOf(owner, positions)
    await record(owner, landed(await intentOf(first), ESCROWED - 10n))
    expect(await claimOf(owner, positions, 20n)).toBeUndefined()
    expect(await holds(owner)).toEqual([null])
    expect(await claimedBy(owner)).toEqual([10n])
  })

  it('reserves none of its positions when one of them is stale', async () => {
    for (const stale of [0, 1, 2]) {
      const { owner, positions } = await createHolder(3)
      const first = await claimOf(owner, some(positions, stale))
      await record(owner, landed(await intentOf(first), ESCROWED - 10n))
      const intent = newIntent(owner, NOW)
      expect(await insertClaim(db, intent, legsOf(positions))).toBe(false)
      expect(await holds(owner)).toEqual([null, null, null])
      expect(await findTransaction(db, intent.id)).toBeUndefined()
      // Read anew it is recorded, all of it.
      const again = await claimOf(owner, (await vaultOf(owner)).positions)
      expect(await holds(owner)).toEqual([again, again, again])
    }
  })

  it('reserves none when one was withdrawn, belongs to someone else or does not exist', async () => {
    const { owner, positions } = await createHolder(2)
    const other = await createHolder(1)
    expect(await claimOf(owner, [...positions, ...other.positions])).toBeUndefined()
    const unknown = positions.map((row) => ({ ...row, address: row.id === 1 ? newAddress() : row.address }))
    expect(await claimOf(owner, unknown)).toBeUndefined()
    const withdrawal = newIntent(owner, NOW)
    const [, second] = positions
    await insertUnstack(db, withdrawal, {
      address: second?.address ?? newAddress(),
      balance: ESCROWED,
    })
    await record(owner, landed(await intentOf(withdrawal.id), 0n))
    expect(await claimOf(owner, positions)).toBeUndefined()
    expect(await holds(owner)).toEqual([null])
    expect(await holds(other.owner)).toEqual([null])
  })

  it.each([
    ['a payout', 'update positions set claimed = claimed + 10 where address = $1'],
    ['another claim', 'update positions set open_claim = gen_random_uuid() where address = $1'],
  ])('is not recorded when %s of one position commits after its statement has begun', async (_, change) => {
    for (const stale of [0, 1, 2]) {
      const { owner, positions } = await createHolder(3)
      const { address = '' } = positions[stale] ?? {}
      const before = await holds(owner)
      const intent = newIntent(owner, NOW)
      const recorded = await whileHeld(
        'positions where address',
        address,
        1,
        () => insertClaim(db, intent, legsOf(positions)),
        change,
      )
      expect(recorded).toBe(false)
      expect(await findTransaction(db, intent.id)).toBeUndefined()
      const others = (await vaultOf(owner)).positions.filter((row) => row.address !== address)
      expect(others.map(({ openClaim }) => openClaim)).toEqual(before.slice(1))
    }
  })

  it('is not recorded when a withdrawal that has locked the owner’s row commits later', async () => {
    for (const stale of [0, 1, 2]) {
      const { owner, positions } = await createHolder(3)
      const { address = '' } = positions[stale] ?? {}
      const intent = newIntent(owner, NOW)
      // A withdrawal changes the owner's row too, so it takes that one first, as the claim does.
      const recorded = await whileHeld(
        'vaults where owner',
        owner,
        1,
        () => insertClaim(db, intent, legsOf(positions)),
        `update positions set status = 'withdrawn' where owner = $1 and address = '${address}'`,
      )
      expect(recorded).toBe(false)
      expect(await findTransaction(db, intent.id)).toBeUndefined()
      expect(await holds(owner)).toEqual([null, null])
    }
  })

  it('is recorded when what it waited for changed nothing of the positions', async () => {
    const { owner, positions } = await createHolder(2)
    const [first] = positions
    const claimed = await whileHeld(
      'positions where address',
      first?.address ?? '',
      1,
      () => claimOf(owner, positions),
      'update positions set escrowed = escrowed + 1 where address = $1',
    )
    expect(claimed).toBeDefined()
    expect(await holds(owner)).toEqual([claimed, claimed])
  })

  it('is not recorded when the settlement commits at the same time', async () => {
    const { owner, positions } = await createHolder(3)
    const paid = await intentOf(await claimOf(owner, some(positions, 1)))
    const given = await intentOf(await buildStack(owner))
    // The settlement has paid out and waits for its second row; the claim was computed before and comes now.
    // It sees the open claim, or waits for the row and sees what has become of it.
    const late = newIntent(owner, NOW)
    const [, recorded] = await whileHeld('vault_intents where id', given.id, 1, () =>
      Promise.all([
        record(owner, landed(paid, ESCROWED - 10n), expired(given)),
        insertClaim(db, late, legsOf(positions)),
      ]),
    )
    expect(recorded).toBe(false)
    expect(await holds(owner)).toEqual([null, null, null])
    expect(await claimedBy(owner)).toEqual([0n, 10n, 0n])
    expect((await vaultOf(owner)).openIntents).toEqual([])
  })

  it('is not recorded when a settlement and another claim precede it at a locked row', async () => {
    const { owner, positions } = await createHolder(2)
    const [first] = positions
    // Both wait for the same row: one is first, and the other finds it taken.
    const claims = await whileHeld('positions where address', first?.address ?? '', 2, () =>
      Promise.all([claimOf(owner, positions), claimOf(owner, some(positions, 0))]),
    )
    const winners = claims.filter((id) => id !== undefined)
    expect(winners).toHaveLength(1)
    const held = await holds(owner)
    expect(held[0]).toBe(winners[0])
    expect(held[1]).toBe(claims[0] ?? null)
  })
})

describe('claims over overlapping positions', () => {
  it('are recorded one at a time, whichever positions they share', async () => {
    const { owner, positions } = await createHolder(4)
    const sets = [[0, 1], [1, 2], [2, 3], [3, 0], [0, 1, 2, 3], [2]]
    for (let round = 0; round < 10; round += 1) {
      const claims = await times(sets.length * 2, (index) =>
        claimOf(owner, some(positions, ...(sets[index % sets.length] ?? []))),
      )
      const recorded = claims.flatMap((id, index) =>
        id ? [{ id, set: sets[index % sets.length] ?? [] }] : [],
      )
      expect(recorded.length).toBeGreaterThan(0)
      const expected = [0, 1, 2, 3].map((id) => recorded.filter(({ set }) => set.includes(id)))
      for (const claimsOfPosition of expected) expect(claimsOfPosition.length).toBeLessThanOrEqual(1)
      expect(await holds(owner)).toEqual(expected.map(([claim]) => claim?.id ?? null))
      for (const { id } of recorded) await record(owner, expired(await intentOf(id)))
      expect(await holds(owner)).toEqual([null, null, null, null])
    }
  })

  it('of twenty that are the same one is recorded', async () => {
    const { owner, positions } = await createHolder(2)
    const claims = await times(20, () => claimOf(owner, positions))
    expect(claims.filter((id) => id !== undefined)).toHaveLength(1)
    expect((await vaultOf(owner)).openIntents).toHaveLength(1)
  })
})

describe('an outcome', () => {
  it('is recorded once, repeated or at the same time', async () => {
    const { owner, positions } = await createHolder(2)
    const stack = landed(await intentOf(await buildStack(owner)), ESCROWED)
    const claim = landed(await intentOf(await claimOf(owner, positions)), ESCROWED - 10n)
    for (let round = 0; round < 2; round += 1) {
      await times(20, (index) =>
        index % 3 === 0 ? record(owner, claim) : record(owner, stack, ...(index % 3 === 1 ? [claim] : [])),
      )
      const vault = await vaultOf(owner)
      expect(vault.positions.map(({ id, claimed, openClaim }) => [id, claimed, openClaim])).toEqual([
        [0, 10n, null],
        [1, 10n, null],
        [2, 0n, null],
      ])
      expect(vault.openStacks).toBe(0)
    }
  })

  it('of many stacks at once numbers positions without a gap', async () => {
    const owner = newOwner()
    const intents = await Promise.all((await times(5, () => buildStack(owner))).map(intentOf))
    await times(20, (index) => {
      const mine = intents.filter((_, position) => (position + index) % 2 === 0)
      const [first, ...rest] = mine.map((intent) => landed(intent, ESCROWED))
      return first ? record(owner, first, ...rest) : Promise.resolve(undefined)
    })
    const { positions, openStacks } = await vaultOf(owner)
    expect(positions.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4])
    expect(new Set(positions.map(({ address }) => address)).size).toBe(5)
    expect(openStacks).toBe(0)
  })

  it('of an unstack closes the position for all that wanted it', async () => {
    const { owner, positions } = await createHolder(1)
    const leg = { address: positions[0]?.address ?? newAddress(), balance: ESCROWED }
    const unstacks = await times(20, async () => {
      const intent = newIntent(owner, NOW)
      expect(await insertUnstack(db, intent, leg)).toBe(true)
      return intentOf(intent.id)
    })
    const [first, ...rest] = unstacks.map((intent) => landed(intent, 0n))
    if (!first) throw new Error('no unstack')
    await times(5, () => record(owner, first, ...rest))
    const { positions: open, openIntents, exists } = await vaultOf(owner)
    expect({ open, openIntents, exists }).toEqual({ open: [], openIntents: [], exists: true })
    expect(await insertUnstack(db, newIntent(owner, NOW), leg)).toBe(false)
  })
})

describe('a withdrawal’s settlement', () => {
  it.each([
    [
      'a claim',
      (counted: Db, rows: PositionRow[]) => insertClaim(counted, newIntent(ownerOf(rows), NOW), legsOf(rows)),
    ],
    [
      'an observation',
      (counted: Db, rows: PositionRow[]) =>
        recordObservations({ db: counted, schedule: () => {} }, rows.map(gone), {
          slot: 1_001n,
          seenAt: NOW,
        }),
    ],
  ])('and %s that wait for rows of each other’s both end, without a deadlock', async (_, other) => {
    const { owner, positions } = await createHolder(2)
    const [first, second] = positions.toSorted((a, b) => (a.address < b.address ? -1 : 1))
    if (!first || !second) throw new Error('no positions')
    const withdrawal = newIntent(owner, NOW)
    const leg = { address: first.address, balance: ESCROWED }
    expect(await insertUnstack(db, withdrawal, leg)).toBe(true)
    const intent = await intentOf(withdrawal.id)
    // After a deadlock the client would ask again: what it asks is counted.
    const subrequests = createSubrequestCounter()
    const counted = connect('postgresql://test:test@db.test.internal/test', subrequests)
    // The other has locked the first position, or the owner, and waits for the second; the settlement comes.
    await whileHeld('positions where address', second.address, 2, async () => {
      const running = other(counted, positions)
      await untilWaiting(url, 1)
      await Promise.all([running, recordOutcomes(counted, owner, [landed(intent, 0n)], NOW)])
    })
    expect(subrequests.counts()).toEqual({ sql: 2 })
    expect(await findTransaction(db, withdrawal.id)).toMatchObject({ intent: { status: 'landed' } })
    expect((await vaultOf(owner)).positions.map(({ id }) => id)).not.toContain(first.id)
  })
})

describe('giving up', () => {
  it('changes nothing that is confirmed', async () => {
    const { owner, positions } = await createHolder(1)
    const stack = await intentOf(await buildStack(owner))
    const claim = await intentOf(await claimOf(owner, positions))
    await record(owner, landed(stack, ESCROWED), landed(claim, ESCROWED - 10n))
    const next = await claimOf(owner, (await vaultOf(owner)).positions.slice(0, 1))
    const before = await vaultOf(owner)
    await times(5, () => record(owner, expired(stack), expired(claim)))
    expect(await vaultOf(owner)).toEqual(before)
    expect(before.openStacks).toBe(0)
    expect(await holds(owner)).toEqual([next, null])
    expect((await intentOf(stack.id)).status).toBe('landed')
    expect((await intentOf(claim.id)).status).toBe('landed')
  })

  it('of a claim frees its positions once, and not those of the next claim', async () => {
    const { owner, positions } = await createHolder(2)
    const first = await intentOf(await claimOf(owner, positions))
    await record(owner, expired(first))
    const next = await claimOf(owner, positions)
    expect(next).toBeDefined()
    await times(5, () => record(owner, expired(first)))
    expect(await holds(owner)).toEqual([next, next])
    // A claim that was given up is not paid out afterwards: it can not have landed.
    await record(owner, landed(first, ESCROWED - 10n))
    expect(await claimedBy(owner)).toEqual([0n, 0n])
    expect(await holds(owner)).toEqual([next, next])
  })

  it('and a confirmation at the same moment open the position once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const owner = newOwner()
      const stacks = await Promise.all((await times(3, () => buildStack(owner))).map(intentOf))
      await times(20, (index) => {
        const [first, ...rest] = stacks.map((intent) =>
          index % 2 === 0 ? landed(intent, ESCROWED) : expired(intent),
        )
        return first ? record(owner, first, ...rest) : Promise.resolve(undefined)
      })
      const { openStacks, positions } = await vaultOf(owner)
      expect(openStacks).toBe(0)
      // A confirmation wins in the end: a stack that was given up may still be found.
      expect(positions.map(({ id }) => id)).toEqual([0, 1, 2])
    }
  })

  it('a stack that is found later opens its position once and counts down once', async () => {
    const owner = newOwner()
    const stack = await intentOf(await buildStack(owner))
    await times(5, () => record(owner, expired(stack)))
    expect((await vaultOf(owner)).openStacks).toBe(0)
    const due = { now: new Date(NOW.getTime() + DAY_MS), limit: 10_000 }
    const found = await selectStacksToRecheck(db, due)
    expect(found.map(({ id }) => id)).toContain(stack.id)
    expect(await buildStack(owner)).toBeDefined()
    const [again] = found.filter(({ id }) => id === stack.id)
    if (!again) throw new Error('not found')
    await times(20, () => record(owner, landed(again, ESCROWED)))
    const { openStacks, positions } = await vaultOf(owner)
    expect(openStacks).toBe(1)
    expect(positions.map(({ id, address }) => [id, address])).toEqual([[0, stack.legs[0]?.address]])
    await record(owner, expired(stack))
    expect((await vaultOf(owner)).positions).toHaveLength(1)
    expect((await selectStacksToRecheck(db, due)).map(({ id }) => id)).not.toContain(stack.id)
  })
})

describe('open stacks', () => {
  it('are five of twenty parallel ones, for a new owner and for one that is known', async () => {
    const owner = newOwner()
    for (let round = 0; round < 3; round += 1) {
      const built = (await times(20, () => buildStack(owner))).filter((id) => id !== undefined)
      expect(built).toHaveLength(5)
      const intents = await Promise.all(built.map(intentOf))
      await Promise.all(
        intents.map((intent) => record(owner, round === 1 ? landed(intent, ESCROWED) : expired(intent))),
      )
      expect((await vaultOf(owner)).openStacks).toBe(0)
    }
  })
})

describe('the lease', () => {
  it('of a hundred readers at once is one reader’s, and free again after two seconds', async () => {
    const owner = newOwner()
    await buildStack(owner)
    const at = (ms: number) => new Date(NOW.getTime() + ms)
    const leases = async (ms: number) =>
      (await times(100, () => readVault(db, owner, at(ms)))).filter(({ lease }) => lease).length
    expect(await leases(0)).toBe(1)
    expect(await leases(1_999)).toBe(0)
    expect(await leases(2_000)).toBe(1)
    expect(await leases(3_999)).toBe(0)
    expect(await leases(4_000)).toBe(1)
  })

  it('is nobody’s while nothing is open', async () => {
    const { owner } = await createHolder(1)
    expect((await readVault(db, owner, new Date(NOW.getTime() + 60_000))).lease).toBe(false)
  })
})
