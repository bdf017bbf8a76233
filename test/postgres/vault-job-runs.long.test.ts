import { inArray } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import { DAY_MS } from '../../lib/time.ts'
import { readVault } from '../../lib/vault/queries.ts'
import {
  recordRechecks,
  selectDueOwners,
  selectStacksToRecheck,
  vaultChecks,
} from '../../lib/vault/settlement/job-run-queries.ts'
import { cred } from '../../schema/amounts.ts'
import { vaultIntents } from '../../schema/tables/vaults.ts'
import type { Address, Wallet } from '../../schema/wallet.ts'
import { connectDatabase, type DrizzleDb } from '../support/database.ts'
import { FAR_LIMITS, insertStack, newIntent } from '../support/vault-intents.ts'

const NOW = new Date('2026-11-20T10:00:00Z')
/** The owners that one run settles. */
const PER_RUN = 40
const JOB_RUN_MS = 600_000
/** The expired stacks that one run reads. */
const PER_CHECK = 100

let db: DrizzleDb
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await connectDatabase())
})
afterAll(() => close())

const after = (ms: number) => new Date(NOW.getTime() + ms)

/** An owner with a signed stack of that time whose fate nobody knows. */
async function ownerWithStack(now: Date): Promise<Wallet> {
  const owner = createWallet().publicKey as Wallet
  await stackOf(owner, now, 1n)
  return owner
}

/** @returns the id of a signed stack of that owner */
async function stackOf(owner: Wallet, now: Date, yielded: bigint): Promise<string> {
  const intent = newIntent(owner, now)
  const terms = { lockDays: 7, apyBps: 800, stakedAt: now, yield: cred(yielded), yieldDay: '2026-11-20' }
  const leg = { address: createWallet().publicKey as Address, principal: cred(1n) }
  expect(await insertStack(db, { ...intent, ...terms }, leg, FAR_LIMITS)).toMatchObject({ recorded: true })
  return intent.id
}

it('settles a newcomer after one run at most, next to owners with endless stacks', async () => {
  const stuck = await Promise.all(Array.from({ length: PER_RUN }, () => ownerWithStack(NOW)))
  const newcomer = await ownerWithStack(after(3_600_000))
  const [first, second] = [after(3_660_000), after(3_660_000 + JOB_RUN_MS)]
  const asked: Wallet[][] = []
  for (const now of [first, second]) {
    const owners = await selectDueOwners(db, now, PER_RUN)
    asked.push(owners)
    for (const owner of owners) {
      const ids = (await readVault(db, owner, now)).openIntents.map(({ id }) => id)
      await vaultChecks.recordChecks(db, { ids, dueAts: ids.map(() => after(7_200_000)), now })
    }
  }
  expect(asked.flat()).toContain(newcomer)
  expect(asked.flat()).toEqual(expect.arrayContaining(stuck))
})

it('checks stacks with yield a second time next to 2,000 stacks of one lamport', async () => {
  const built = async (owners: Wallet[], yielded: bigint) => {
    const ids: string[] = []
    for (const owner of owners) {
      for (let n = 0; n < 5; n += 1) ids.push(await stackOf(owner, NOW, yielded))
    }
    await db
      .update(vaultIntents)
      .set({ status: 'expired', dueAt: after(JOB_RUN_MS) })
      .where(inArray(vaultIntents.id, ids))
    return ids
  }
  const wallets = (count: number) => Array.from({ length: count }, () => createWallet().publicKey as Wallet)
  const honest = await built(wallets(4), 1_000n)
  const cheap = await built(wallets(400), 0n)

  const runs: string[][] = []
  for (let now = after(JOB_RUN_MS); runs.flat().length < 2_020; now = new Date(now.getTime() + JOB_RUN_MS)) {
    const ids = (await selectStacksToRecheck(db, { now, limit: PER_CHECK })).map(({ id }) => id)
    const again = { watchedSince: new Date(now.getTime() - DAY_MS), again: now }
    await recordRechecks(db, { ids, seen: ids, now, ...again })
    runs.push(ids)
  }
  expect(runs[0]).toEqual(expect.arrayContaining(honest))
  // Each is checked once before any is checked twice.
  expect(runs).toHaveLength(21)
  expect(new Set(runs.flat())).toEqual(new Set([...honest, ...cheap]))
})
