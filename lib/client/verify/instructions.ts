import { utf8 } from '../encoding.ts'
import { fromBase58 } from '../from-base58.ts'
import type { Seeded } from './accounts.ts'
import { concat, littleEndian } from './bytes.ts'
import type { Role } from './message.ts'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  COMPUTE_UNIT_LIMIT,
  CRED_DECIMALS,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from './programs.ts'

/* Writes the instructions of the lists. lib/solana/programs names their sources. */

/** An expected instruction, with the roles that it needs. `name` is for errors. */
export type Expected = {
  name: string
  program: string
  accounts: (Role & { address: string })[]
  data: Uint8Array
}

const readonly = (address: string) => ({ address, isSigner: false, isWritable: false })
const writable = (address: string) => ({ address, isSigner: false, isWritable: true })
const signer = (address: string) => ({ address, isSigner: true, isWritable: false })
const payer = (address: string) => ({ address, isSigner: true, isWritable: true })

/** The approval of an account's owner or delegate: a key, or a multisig with its signers. */
export type Approval = { owner: string; signers?: string[] }

const approvers = ({ owner, signers }: Approval) =>
  signers ? [readonly(owner), ...signers.map(signer)] : [signer(owner)]

const u64 = (value: bigint): Uint8Array => littleEndian(value, 8)
const u32 = (value: number): Uint8Array => littleEndian(BigInt(value), 4)

export const setLimit = (): Expected => ({
  name: 'compute limit',
  program: COMPUTE_BUDGET_PROGRAM,
  accounts: [],
  data: concat([2], u32(COMPUTE_UNIT_LIMIT)),
})

/** @param price in micro-lamports for each compute unit */
export const setPrice = (price: bigint): Expected => ({
  name: 'priority fee',
  program: COMPUTE_BUDGET_PROGRAM,
  accounts: [],
  data: concat([3], u64(price)),
})

export const memo = (text: string, by: string): Expected => ({
  name: 'memo',
  program: MEMO_PROGRAM,
  accounts: [signer(by)],
  data: utf8(text),
})

const seedOf = ({ seed }: Seeded): Uint8Array => concat(u64(BigInt(seed.length)), utf8(seed))

export const payRent = (account: Seeded, lamports: bigint): Expected => ({
  name: 'rent',
  program: SYSTEM_PROGRAM,
  accounts: [payer(account.base), writable(account.address)],
  data: concat(u32(2), u64(lamports)),
})

export const createAccount = (account: Seeded, lamports: bigint, bytes: number): Expected => ({
  name: 'new account',
  program: SYSTEM_PROGRAM,
  accounts: [payer(account.base), writable(account.address)],
  data: concat(
    u32(3),
    fromBase58(account.base),
    seedOf(account),
    u64(lamports),
    u64(BigInt(bytes)),
    fromBase58(TOKEN_PROGRAM),
  ),
})

export const allocate = (account: Seeded, bytes: number): Expected => ({
  name: 'size of a new account',
  program: SYSTEM_PROGRAM,
  accounts: [writable(account.address), signer(account.base)],
  data: concat(
    u32(9),
    fromBase58(account.base),
    seedOf(account),
    u64(BigInt(bytes)),
    fromBase58(TOKEN_PROGRAM),
  ),
})

export const assign = (account: Seeded): Expected => ({
  name: 'program of a new account',
  program: SYSTEM_PROGRAM,
  accounts: [writable(account.address), signer(account.base)],
  data: concat(u32(10), fromBase58(account.base), seedOf(account), fromBase58(TOKEN_PROGRAM)),
})

export const initializeAccount = (address: string, mint: string, owner: string): Expected => ({
  name: 'owner of a new token account',
  program: TOKEN_PROGRAM,
  accounts: [writable(address), readonly(mint)],
  data: concat([18], fromBase58(owner)),
})

export const initializeMultisig = (address: string, required: number, signers: string[]): Expected => ({
  name: 'signers of a new account',
  program: TOKEN_PROGRAM,
  accounts: [writable(address), ...signers.map(readonly)],
  data: new Uint8Array([19, required]),
})

type Transfer = { source: string; mint: string; destination: string; amount: bigint }

export const transfer = (
  { source, mint, destination, amount }: Transfer,
  approval: Approval,
  reference?: string,
): Expected => ({
  name: 'transfer',
  program: TOKEN_PROGRAM,
  accounts: [
    ...[writable(source), readonly(mint), writable(destination), ...approvers(approval)],
    ...(reference === undefined ? [] : [readonly(reference)]),
  ],
  data: concat([12], u64(amount), [CRED_DECIMALS]),
})

export const approve = (
  { account, mint, delegate, amount }: { account: string; mint: string; delegate: string; amount: bigint },
  approval: Approval,
): Expected => ({
  name: 'approval',
  program: TOKEN_PROGRAM,
  accounts: [writable(account), readonly(mint), readonly(delegate), ...approvers(approval)],
  data: concat([13], u64(amount), [CRED_DECIMALS]),
})

export const revoke = (account: string, owner: string): Expected => ({
  name: 'revocation',
  program: TOKEN_PROGRAM,
  accounts: [writable(account), signer(owner)],
  data: new Uint8Array([5]),
})

export const setCloseAuthority = (account: string, to: string, approval: Approval): Expected => ({
  name: 'authority that may close',
  program: TOKEN_PROGRAM,
  accounts: [writable(account), ...approvers(approval)],
  data: concat([6, 3, 1], fromBase58(to)),
})

export const close = (account: string, rentTo: string, approval: Approval): Expected => ({
  name: 'closing',
  program: TOKEN_PROGRAM,
  accounts: [writable(account), writable(rentTo), ...approvers(approval)],
  data: new Uint8Array([9]),
})

export const createAssociated = (address: string, owner: string, mint: string): Expected => ({
  name: 'own token account',
  program: ASSOCIATED_TOKEN_PROGRAM,
  accounts: [payer(owner), writable(address), ...[owner, mint, SYSTEM_PROGRAM, TOKEN_PROGRAM].map(readonly)],
  data: new Uint8Array([1]),
})
