import { afterAll, beforeAll, expect, it } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import type { Db } from '../../lib/db/connect.ts'
import { openPostgres } from '../../lib/migrations/postgres.ts'
import { recordObservations } from '../../lib/vault/breaker/observation-queries.ts'
import { findTransaction, type Intent, type PositionRow, readVault } from '../../lib/vault/queries.ts'
import { type Outcome, recordOutcomes } from '../../lib/vault/settlement/settlement-queries.ts'
import { cred } from '../../schema/amounts.ts'
import type { Address, Wallet } from '../../schema/wallet.ts'
import { connectDatabase } from '../support/database.ts'
import { FAR_LIMITS, insertStack, insertUnstack, newIntent } from '../support/vault-intents.ts'

const NOW = new Date('2026-11-20T10:00:00Z')
const HELD = cred(1_100n)
let db: Db
let engine: Awaited<ReturnType<typeof openPostgres>>
let close: () => Promise<void>
beforeAll(async () => {
  const database = await connectDatabase()
  db = database.db
  engine = await openPostgres(database.url)
  close = database.close
})
afterAll(async () => {
  await engine.close()
  await close()
})

const range = (length: number) => Array.from({ length }, (_, i) => i)
const newOwner = () => createWallet().publicKey as Wallet
const newAddress = () => createWallet().publicKey as Address

async function build(owner: Wallet) {
  const intent = newIntent(owner, NOW)
  const terms = { lockDays: 7, apyBps: 800, stakedAt: NOW, yield: cred(100n), yieldDay: '2026-11-20' }
  const leg = { address: newAddress(), principal: cred(1_000n) }
  return { id: intent.id, ...(await insertStack(db, { ...intent, ...terms }, leg, FAR_LIMITS)) }
}

async function intentOf(id: string): Promise<Intent> {
  const intent = (await findTransaction(db, id))?.intent
  if (!intent) throw new Error('no such intent')
  return intent
}

async function settle(owner: Wallet, id: string, kind: 'landed' | 'expired') {
  const intent = await intentOf(id)
  const balances = intent.legs.map(({ address }) => ({ address, balance: HELD }))
  const outcome: Outcome =
    kind === 'landed'
      ? { kind, intent, balances, slot: 1_001n }
      : { kind, intent, isBlocked: false, isVaultOpen: true }
  return recordOutcomes(db, owner, [outcome], NOW)
}

const positionsOf = async (owner: Wallet) => (await readVault(db, owner, NOW)).positions

/** An owner with this many open positions. */
async function createHolder(count: number): Promise<{ owner: Wallet; positions: PositionRow[] }> {
  const owner = newOwner()
  for (const _ of range(count)) await settle(owner, (await build(owner)).id, 'landed')
  return { owner, positions: await positionsOf(owner) }
}

/** Returns owners whose stored count differs from their positions. */
async function miscounted(): Promise<unknown> {
  const query = `select owner, open_positions, (select count(*) from positions
      where positions.owner = vaults.owner and status = 'open') as there_are
    from vaults where open_positions <> (select count(*) from positions
      where positions.owner = vaults.owner and status = 'open')`
  return (await engine.run([{ query, params: [] }]))[0]?.rows
}

const see = (rows: PositionRow[], status: 'open' | 'withdrawn' | 'void', slot = 2_000n) =>
  recordObservations(
    { db, schedule: () => {} },
    rows.map((row) => ({ row, status, balance: status === 'open' ? HELD : cred(0n), isEarly: false })),
    { slot, seenAt: NOW },
  )

async function withdraw(owner: Wallet, row: PositionRow) {
  const intent = newIntent(owner, NOW)
  const leg = { address: row.address, balance: HELD }
  if (await insertUnstack(db, intent, leg)) await settle(owner, intent.id, 'landed')
}

it('an owner has at most 50 open positions, including pending ones, in any race', async () => {
  const { owner, positions } = await createHolder(47)
  const built = await Promise.all(range(20).map(() => build(owner)))
  const [first, second, third, ...more] = built.filter(({ recorded }) => recorded)
  expect(more).toEqual([])
  const refused = built.find(({ recorded }) => !recorded)
  expect(refused).toMatchObject({ outcome: 'positions_full' })
  for (const stack of [first, second]) await settle(owner, stack?.id ?? '', 'landed')
  expect((await build(owner)).recorded).toBe(false)
  // A position that can no longer land, or is withdrawn or void, counts down once.
  await Promise.all(range(5).map(() => settle(owner, third?.id ?? '', 'expired')))
  await Promise.all(range(3).map(() => withdraw(owner, positions[0] as PositionRow)))
  await Promise.all(range(3).map((i) => see(positions.slice(1, 2), 'void', 2_000n + BigInt(i))))
  expect(await miscounted()).toEqual([])
  const again = await Promise.all(range(12).map(() => build(owner)))
  expect(again.filter(({ recorded }) => recorded)).toHaveLength(3)
})

it('counts a stack that landed after it was recorded as expired, and stops the next', async () => {
  const { owner } = await createHolder(49)
  const late = await build(owner)
  await settle(owner, late.id, 'expired')
  const other = await build(owner)
  expect(other.recorded).toBe(true)
  await Promise.all([settle(owner, other.id, 'landed'), settle(owner, late.id, 'landed')])
  expect(await positionsOf(owner)).toHaveLength(51)
  expect(await miscounted()).toEqual([])
  expect((await build(owner)).recorded).toBe(false)
})

it('counts right after any race of settlements, withdrawals and reads', async () => {
  const holders = await Promise.all(range(6).map(() => createHolder(4)))
  const all = holders.flatMap(({ positions }) => positions)
  const of = (id: number) => all.filter((row) => row.id === id)
  await Promise.all([
    ...range(3).flatMap(() => [see(of(0), 'withdrawn'), see(of(0).toReversed(), 'withdrawn')]),
    ...holders.flatMap(({ owner, positions }) => positions.slice(0, 2).map((row) => withdraw(owner, row))),
    see(of(1), 'void'),
    ...holders.map(async ({ owner }) => settle(owner, (await build(owner)).id, 'landed')),
    see(of(2), 'withdrawn'),
    see(all, 'open'),
    ...holders.map(async ({ owner }) => settle(owner, (await build(owner)).id, 'expired')),
  ])
  expect(await miscounted()).toEqual([])
  for (const { owner } of holders) {
    expect((await positionsOf(owner)).map(({ id }) => id)).toEqual([3, 4])
  }
})

it('the count follows every statement that changes positions', async () => {
  const position = (owner: string, id: number, status: string) =>
    `('${owner}', ${id}, '${owner}${id}', 1, 1000, 7, 800, '2026-01-01', '${status}', 1001, 5)`
  const columns =
    'owner, id, address, generation, principal, lock_days, apy_bps, staked_at, status, escrowed, seen_slot'
  await engine.execScript(`
    insert into vaults (owner, settled_at)
      values ('one', '2026-01-01'), ('two', '2026-01-01'), ('none', '2026-01-01');
    insert into positions (${columns}) values ${position('one', 0, 'open')}, ${position('one', 1, 'open')},
      ${position('one', 2, 'withdrawn')}, ${position('one', 3, 'void')}, ${position('two', 0, 'open')}`)
  const counts = async () => {
    const query = `select owner, open_positions from vaults where owner in ('one', 'two', 'none') order by owner`
    return (await engine.run([{ query, params: [] }]))[0]?.rows
  }
  expect(await counts()).toEqual([
    ['none', '0'],
    ['one', '2'],
    ['two', '1'],
  ])
  await engine.execScript(`
    update positions set status = 'withdrawn' where owner = 'two';
    update positions set status = 'void', seen_slot = 6 where owner = 'one' and id = 0;
    update positions set status = 'withdrawn' where owner = 'one' and id = 3;
    update positions set status = 'open' where owner = 'one' and id = 1;
    insert into positions (${columns}) values ${position('none', 0, 'open')}, ${position('none', 1, 'open')};
    delete from positions where owner = 'none' and id = 0`)
  expect(await counts()).toEqual([
    ['none', '1'],
    ['one', '1'],
    ['two', '0'],
  ])
})
