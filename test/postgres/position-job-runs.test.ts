import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkPositions } from '../../functions/settlement/job-runs.ts'
import { createWallet } from '../../lib/cli/wallet.ts'
import type { Rpc } from '../../lib/solana/rpc.ts'
import { auditPositions } from '../../lib/vault/breaker/job-runs.ts'
import type { SettleDeps } from '../../lib/vault/deps.ts'
import { escrowSettings } from '../../lib/vault/keyring.ts'
import { connectDatabase, type DrizzleDb } from '../support/database.ts'

/* The open positions that a job run reads, and the time of the next run. */

const NOON = new Date('2026-11-22T12:00:00Z')
const after = (ms: number) => new Date(NOON.getTime() + ms)
const MINUTE = 60_000

let db: DrizzleDb
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await connectDatabase())
})
afterAll(() => close())

const key = () => createWallet().publicKey

/** Counts calls to a node that knows no account. */
function depsAt(now: Date, isDown = false) {
  const asked = { calls: 0 }
  const accounts: Rpc['accounts'] = async (addresses) => {
    asked.calls += 1
    if (isDown) throw new Error('down')
    return { slot: 9_000n, accounts: addresses.map(() => undefined) }
  }
  const escrow = escrowSettings({
    mint: key(),
    authorityAddresses: `1:${key()}`,
    recoveryAddresses: `1:${key()}`,
  })
  const deps = { db, rpc: { accounts } as Partial<Rpc> as Rpc, escrow, now, clock: () => now } as const
  return { deps: { ...deps, notify: () => {}, schedule: () => {} } satisfies SettleDeps, asked }
}

/** So many open positions of one owner, the later ones with more yield, and a stack that was signed. */
async function positions(count: number, { stakedAt, seenAt }: { stakedAt: Date; seenAt: Date }) {
  const owner = key()
  await db.$client.query('truncate vaults, positions, vault_yield_days cascade')
  await db.$client.query('insert into vaults (owner, settled_at) values ($1, now())', [owner])
  await db.$client.query(
    `insert into positions (owner, id, address, generation, principal, lock_days, apy_bps, staked_at, escrowed, seen_slot, seen_at)
     select $1, n, 'position' || n, 1, 1, 7, 800, $2, 1 + n, 1, $3 from generate_series(1, $4::integer) as n`,
    [owner, stakedAt, seenAt, count],
  )
}
const signStack = (at: Date) =>
  db.$client.query(`insert into vault_yield_days (day, stacked_at) values ('2026-11-22', $1)`, [at])

const unseenSince = async (at: Date) =>
  (await db.$client.query('select count(*)::integer as count from positions where seen_at < $1', [at]))[0]
    ?.count

it('reads all open positions once a day, in runs without a pause', async () => {
  await positions(2_500, { stakedAt: after(-30 * 86_400_000), seenAt: after(-86_400_000) })
  const answers = []
  for (let n = 0; n < 4; n += 1) {
    const { deps, asked } = depsAt(NOON)
    const { seen, nextAt } = await auditPositions(deps)
    answers.push([seen, asked.calls, nextAt])
  }
  expect(answers).toEqual([
    [1_000, 20, NOON],
    [1_000, 20, NOON],
    [500, 10, undefined],
    [0, 0, undefined],
  ])
  expect(await unseenSince(NOON)).toBe(0)
})

it('reads the last day’s once after a stack: a thousand a minute, most yield first', async () => {
  await positions(1_500, { stakedAt: after(-3_600_000), seenAt: after(-30 * MINUTE) })
  expect((await auditPositions(depsAt(NOON).deps)).seen).toBe(0)
  await signStack(after(-MINUTE))
  expect(await auditPositions(depsAt(NOON).deps)).toMatchObject({ seen: 1_000, nextAt: after(MINUTE) })
  const least = 'select min(id) as id from positions where seen_at = $1'
  expect(await db.$client.query(least, [NOON])).toEqual([{ id: 501 }])
  expect(await auditPositions(depsAt(after(MINUTE)).deps)).toMatchObject({ seen: 500, nextAt: undefined })
  expect(await auditPositions(depsAt(after(2 * MINUTE)).deps)).toMatchObject({ seen: 0, nextAt: undefined })
})

it('reads all positions once a minute each while stacks are signed all the time', async () => {
  await positions(1_500, { stakedAt: after(-3_600_000), seenAt: after(-30 * MINUTE) })
  await signStack(after(86_400_000))
  let seen = 0
  for (let n = 0; n < 4; n += 1) seen += (await auditPositions(depsAt(after(n * 30_000)).deps)).seen
  expect(await unseenSince(NOON)).toBe(0)
  expect(seen).toBeLessThanOrEqual(1_500 + 1_500)
})

it('fails a run without a successful call, and postpones nothing', async () => {
  await positions(100, { stakedAt: after(-30 * 86_400_000), seenAt: after(-86_400_000) })
  await expect(auditPositions(depsAt(NOON, true).deps)).rejects.toThrow('down')
  expect(await unseenSince(NOON)).toBe(100)
})

it('returns the due time of positions when a run comes before a signed stack', async () => {
  await positions(1, { stakedAt: after(-3_600_000), seenAt: after(-20_000) })
  await signStack(NOON)
  // Its answer takes the place of what the stack has asked for.
  const answer = await checkPositions(depsAt(after(30_000)).deps)
  expect(await unseenSince(NOON)).toBe(1)
  expect(answer).toEqual({ at: after(MINUTE).getTime(), by: after(6 * MINUTE).getTime() })
  expect(await checkPositions(depsAt(after(MINUTE)).deps)).toBeUndefined()
  expect(await unseenSince(NOON)).toBe(0)
})
