import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import type { Db } from '../../lib/db/connect.ts'
import { readVault } from '../../lib/vault/queries.ts'
import { selectOwnersWithOpenIntents } from '../../lib/vault/settlement/sweep-queries.ts'
import { cred } from '../../schema/amounts.ts'
import type { Address, Wallet } from '../../schema/wallet.ts'
import { connectDatabase } from '../support/database.ts'
import { insertStack } from '../support/vault-intents.ts'

const NOW = new Date('2026-11-20T10:00:00Z')
/** As many owners as one run of the rounds settles. */
const PER_ROUND = 40
const ROUND_MS = 600_000

let db: Db
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await connectDatabase())
})
afterAll(() => close())

const after = (ms: number) => new Date(NOW.getTime() + ms)

/** An owner with a signed stack of that time whose fate nobody knows. */
async function ownerWithStack(now: Date): Promise<Wallet> {
  const owner = createWallet().publicKey as Wallet
  const intent = {
    id: uuidv7(),
    owner,
    generation: 1,
    signing: 'service_first' as const,
    transaction: 'AQ==',
    message: 'Signing does something.',
    lastValidBlockHeight: 150n,
    builtSlot: 1_000n,
    now,
  }
  const terms = { lockDays: 7, apyBps: 800, stakedAt: now, yield: cred(1n), yieldDay: '2026-11-20' }
  const leg = { address: createWallet().publicKey as Address, principal: cred(1n) }
  const limits = { perWallet: cred(10n ** 18n), perDay: cred(10n ** 18n) }
  expect(await insertStack(db, { ...intent, ...terms }, leg, limits)).toMatchObject({ recorded: true })
  return owner
}

it('whose stacks never end keep no newcomer waiting for more than one run of the rounds', async () => {
  const stuck = await Promise.all(Array.from({ length: PER_ROUND }, () => ownerWithStack(NOW)))
  const newcomer = await ownerWithStack(after(3_600_000))
  const [first, second] = [after(3_660_000), after(3_660_000 + ROUND_MS)]
  const asked: Wallet[][] = []
  for (const now of [first, second]) {
    const owners = await selectOwnersWithOpenIntents(db, PER_ROUND)
    asked.push(owners)
    for (const owner of owners) await readVault(db, owner, now)
  }
  expect(asked.flat()).toContain(newcomer)
  expect(asked.flat()).toEqual(expect.arrayContaining(stuck))
})
