import { Keypair } from '@solana/web3.js'
import { expect, it } from 'vitest'
import { collectorAccount } from '../../../lib/payments/chain/collector.ts'
import { landedCollection, landedPurchase } from '../../../lib/payments/chain/landed.ts'
import { paymentSettings, treasuriesOf, treasuryOf } from '../../../lib/payments/keys.ts'
import { decodeMessage } from '../../../lib/solana/decode-message.ts'
import { type Instruction, readonly } from '../../../lib/solana/instruction.ts'
import { compileMessage } from '../../../lib/solana/message.ts'
import { memo } from '../../../lib/solana/programs/memo.ts'
import { initializeAccount3, transferChecked } from '../../../lib/solana/programs/token.ts'
import { vaultAccount } from '../../../lib/vault/addresses.ts'
import { landedIntent } from '../../../lib/vault/escrow/landed.ts'
import type { Address } from '../../../schema/wallet.ts'

/* What a restore believes of a landed transaction: its memo, where the authority has signed it. */

const newAddress = () => Keypair.generate().publicKey.toBase58() as Address
const [owner, authority, recovery, mint, position, tokens, treasury, blockhash] = Array.from(
  { length: 8 },
  newAddress,
) as [Address, Address, Address, Address, Address, Address, Address, Address]
const ID = '01938f40-1c2d-7e3f-8a4b-5c6d7e8f9a0b'
const keys = { keyVersion: 1, authority, recovery }
const escrow = { mint, keyVersions: [keys] }

const messageOf = (instructions: Instruction[]) => {
  const decoded = decodeMessage(compileMessage(owner, instructions, blockhash).bytes)
  if (!decoded.ok) throw new Error(decoded.error)
  return decoded.message
}
const move = (source: Address, destination: Address, amount: bigint, by: Address, signers?: Address[]) =>
  transferChecked(
    { source, mint, destination, amount, decimals: 9 },
    { owner: by, ...(signers ? { signers } : {}) },
  )
/** The same text, with the authority named and not asked to sign. */
const forged = (text: string): Instruction => ({ ...memo(text, owner), accounts: [readonly(authority)] })

async function stackOf(
  text: Instruction,
  { payer = authority, vault }: { payer?: Address; vault?: Address } = {},
) {
  const { address } = await vaultAccount({ owner, keys })
  return messageOf([
    initializeAccount3(position, mint, vault ?? address),
    move(tokens, position, 100n, owner),
    move(treasury, position, 3n, payer),
    text,
  ])
}
const TEXT = `AgentCred stack ${ID}: 0.0000001 CRED for 30 days at 1000 bps from 2026-11-23T10:00:00Z, yield 0.000000003 CRED`

it('a stack is read by the memo that the authority has signed, and by no other', async () => {
  expect(await landedIntent(await stackOf(memo(TEXT, authority)), escrow)).toMatchObject({
    id: ID,
    kind: 'stack',
    owner,
    keys,
    legs: [{ address: position, amount: 100n }],
    terms: { lockDays: 30, apyBps: 1000, stakedAt: new Date('2026-11-23T10:00:00Z'), yield: 3n },
  })
  // The owner pays itself what looks like a yield, and writes the memo.
  const own = { payer: owner }
  expect(await landedIntent(await stackOf(memo(TEXT, owner), own), escrow)).toBeUndefined()
  expect(await landedIntent(await stackOf(forged(TEXT), own), escrow)).toBeUndefined()
  expect(await landedIntent(await stackOf(memo(TEXT, recovery)), escrow)).toBeUndefined()
  const elsewhere = { vault: newAddress() }
  expect(await landedIntent(await stackOf(memo(TEXT, authority), elsewhere), escrow)).toBeUndefined()
  const two = messageOf([memo(TEXT, authority), memo(TEXT, authority)])
  expect(await landedIntent(two, escrow)).toBeUndefined()
})

it('reads a collection by its approving payout account and the memo that was signed', async () => {
  const { address: collector } = await collectorAccount(owner, 1)
  const settings = paymentSettings({
    mint,
    authorityAddresses: `1:${authority}`,
    vaultAuthorityAddresses: `1:${authority}`,
  })
  const text = `AgentCred collection ${ID}: 0.0000001 CRED, fee 0.000000001 CRED`
  const signers = [owner, authority]
  const paying = (by: Address, note: Instruction, signing?: Address[]) =>
    messageOf([move(position, tokens, 99n, by, signing), move(position, treasury, 1n, by, signing), note])
  const real = paying(collector, memo(text, authority), signers)
  expect(await landedCollection(real, settings, new Set([treasury]))).toMatchObject({
    id: ID,
    owner,
    legs: [{ address: position, amount: 100n, fee: 1n }],
  })
  expect(await landedCollection(paying(owner, forged(text)), settings, new Set([treasury]))).toBeUndefined()
  const unsigned = paying(owner, memo(text, authority))
  expect(await landedCollection(unsigned, settings, new Set([treasury]))).toBeUndefined()
})

it('reads a purchase of credit and a fee paid before the vault’s key was rotated', async () => {
  const settingsWith = (vaultAuthorityAddresses: string) =>
    paymentSettings({ mint, authorityAddresses: `1:${authority}`, vaultAuthorityAddresses })
  const [former, newest] = [newAddress(), newAddress()]
  const paidTo = await treasuryOf(settingsWith(`1:${former}`))
  const rotated = settingsWith(`1:${former},2:${newest}`)
  const treasuries = await treasuriesOf(rotated)
  expect([...treasuries]).toEqual([await treasuryOf(rotated), paidTo])
  const text = `AgentCred credit ${ID}: 0.000000005 CRED`
  const purchase = messageOf([move(tokens, paidTo, 5n, owner), memo(text, authority)])
  expect(landedPurchase(purchase, rotated, treasuries)).toEqual({ id: ID, owner, amount: 5n })
})
