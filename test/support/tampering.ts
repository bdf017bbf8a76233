import { Keypair } from '@solana/web3.js'
import { expect } from 'vitest'
import { addressOf } from '../../lib/solana/address.ts'
import { decodeTransaction } from '../../lib/solana/transaction.ts'
import { checkWalletFirst } from '../../lib/transactions/cosigning/check.ts'
import type { CosignError } from '../../lib/transactions/cosigning/errors.ts'
import { checkParties, claimFor, stackFor, vaultOpeningFor } from './cosigning.ts'
import { mayBeCosigned } from './cosigning-oracle.ts'
import { indexIn, type RawMessage, rawOf, signedRaw, writeRaw } from './raw-message.ts'
import { createWallet, PHANTOM } from './wallets.ts'

/* The changes of a transaction by its owner before signing, and the service's answers to them. */

export const LIGHTHOUSE = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95'
export const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'
export const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'

export const owner = Keypair.fromSeed(new Uint8Array(32).fill(1))
export const authority = Keypair.fromSeed(new Uint8Array(32).fill(2))
const parties = { owner, authority: authority.publicKey }
export const [ownerKey, authorityKey] = [owner.publicKey.toBase58(), authority.publicKey.toBase58()]
export const stack = stackFor(parties)
export const claim = claimFor(parties)
export const vaultOpening = vaultOpeningFor(parties)
export const stranger = addressOf(new Uint8Array(32).fill(41))

export const messageOf = (transaction: string): Uint8Array<ArrayBuffer> => {
  const decoded = decodeTransaction(transaction)
  if (!decoded) throw new Error('no transaction')
  return decoded.message
}

export type Change = (message: RawMessage) => void

/** Returns the transaction from an owner's wallet that has changed the message and signed the result. */
export function changed(recorded: string, change: Change, habits = PHANTOM): string {
  const message = rawOf(messageOf(createWallet(owner, habits).sign(recorded)))
  change(message)
  return signedRaw(owner, writeRaw(message), message.header[0])
}

/** The error of a transaction; undefined when it is cosigned. The oracle must agree that it is, or is not. */
export async function errorOf(recorded: string, submitted: string): Promise<CosignError | undefined> {
  const check = await checkWalletFirst(recorded, submitted, checkParties)
  expect(check.ok, submitted).toBe(mayBeCosigned(recorded, submitted, checkParties))
  return check.ok ? undefined : check.error
}

/** Puts an instruction at a place, counted from the end when it is negative. */
export function insert(
  message: RawMessage,
  at: number,
  program: string,
  accounts: string[],
  data: number[],
): void {
  const indexes = accounts.map((account) => indexIn(message, account))
  message.instructions.splice(at, 0, { program: indexIn(message, program), accounts: indexes, data })
}

/** The instructions of a program. */
export const callsOf = ({ instructions, keys }: RawMessage, program: string) =>
  instructions.filter((one) => keys[one.program] === program)

export const guardIn = (message: RawMessage) => callsOf(message, LIGHTHOUSE)[0] ?? expect.fail('no guard')
