import { afterAll, beforeAll, expect, it } from 'vitest'
import { deleteSpentNonces, recordLogin } from '../../lib/auth/queries.ts'
import { createWallet } from '../../lib/cli/wallet.ts'
import type { Db } from '../../lib/db/connect.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { connectDatabase } from '../support/database.ts'

let db: Db
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await connectDatabase())
})
afterAll(() => close())

const newWallet = () => createWallet().publicKey as Wallet

it('accepts one of several concurrent uses of a nonce by different wallets', async () => {
  const uses = await Promise.all(
    Array.from({ length: 40 }, () =>
      recordLogin(db, { nonce: 'shared', wallet: newWallet(), now: new Date() }),
    ),
  )
  expect(uses.filter((use) => use !== undefined)).toHaveLength(1)
})

it('lets a wallet log in many times at once with different nonces', async () => {
  const wallet = newWallet()
  const uses = await Promise.all(
    Array.from({ length: 40 }, (_, i) => recordLogin(db, { nonce: `own ${i}`, wallet, now: new Date() })),
  )
  expect(uses.every((use) => use?.epoch === 0)).toBe(true)
})

it('keeps a nonce while its challenge could be open, and bounds the clean-up', async () => {
  const now = new Date()
  const wallet = newWallet()
  await deleteSpentNonces(db, new Date(now.getTime() + 3_600_000), 1000)
  for (const nonce of ['a', 'b', 'c']) await recordLogin(db, { nonce, wallet, now })
  const before = new Date(now.getTime() + 299_999)
  expect(await deleteSpentNonces(db, before, 1000)).toBe(0)
  expect(await recordLogin(db, { nonce: 'a', wallet, now: before })).toBeUndefined()
  const after = new Date(now.getTime() + 3_600_000)
  expect(await deleteSpentNonces(db, after, 2)).toBe(2)
})
