import { type NewGrant, recordConsent, redeemCode } from '../../lib/auth/grants/queries.ts'
import type { Db } from '../../lib/db/connect.ts'
import type { Wallet } from '../../schema/wallet.ts'

const DAY = 86_400_000

/** Records a wallet's consent, by default from a new client address that may do it once. */
export const consent = (
  db: Db,
  wallet: Wallet,
  now: Date,
  changes: Partial<Parameters<typeof recordConsent>[1]> = {},
) =>
  recordConsent(db, {
    nonce: crypto.randomUUID(),
    expiresAt: new Date(now.getTime() + 600_000),
    wallet,
    addressHash: crypto.randomUUID(),
    consentsPerAddress: 1,
    now,
    ...changes,
  })

/** Makes the grant of a key that may hire for 30 days. */
export const newKeyGrant = (publicKey: Wallet, now: Date, changes: Partial<NewGrant> = {}): NewGrant => ({
  grantId: crypto.randomUUID(),
  kind: 'key',
  client: `key:${publicKey}`,
  name: 'My agent',
  publicKey,
  permissions: ['agents:hire'],
  endsAt: new Date(now.getTime() + 30 * DAY),
  ...changes,
})

type Code = Parameters<typeof redeemCode>[1]

/** Makes a code of a client that may hire for 30 days. */
export const newCode = (wallet: Wallet, now: Date, changes: Partial<Code> = {}): Code => ({
  id: crypto.randomUUID(),
  wallet,
  epoch: 0,
  client: 'https://app.example.com/client.json',
  name: 'Yield Desk',
  host: 'app.example.com',
  permissions: ['agents:hire'],
  expiresAt: new Date(now.getTime() + 30 * DAY),
  now,
  ...changes,
})

/** Stores a grant of a wallet, with its consent. Returns its id. */
export async function storeGrant(
  db: Db,
  wallet: Wallet,
  now: Date,
  changes: Partial<Code> = {},
): Promise<string> {
  const { epoch } = await consent(db, wallet, now)
  const code = newCode(wallet, now, { epoch, ...changes })
  const { outcome } = await redeemCode(db, code)
  if (outcome !== 'redeemed') throw new Error(`the code was refused: ${outcome}`)
  return code.id
}
