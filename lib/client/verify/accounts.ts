import { base58, utf8 } from '../encoding.ts'
import { fromBase58 } from '../from-base58.ts'
import { hex } from './bytes.ts'
import { isOnCurve, sha256 } from './noble.ts'
import { ASSOCIATED_TOKEN_PROGRAM, TOKEN_PROGRAM } from './programs.ts'

/** An account at `createWithSeed(wallet, seed, Token program)`. Only the wallet can create it. */
export type Seeded = { address: string; base: string; seed: string }

/** Derives an account of the Token program from its creator and a seed. Source: solana-pubkey. */
export const seeded = (base: string, seed: string): Seeded => ({
  address: base58(sha256(fromBase58(base), utf8(seed), fromBase58(TOKEN_PROGRAM))),
  base,
  seed,
})

/** Derives the token account in which wallets keep their tokens. Source: `find_program_address`. */
export function associated(owner: string, mint: string): string {
  for (let bump = 255; bump >= 0; bump -= 1) {
    const hash = sha256(
      ...[owner, TOKEN_PROGRAM, mint].map(fromBase58),
      new Uint8Array([bump]),
      fromBase58(ASSOCIATED_TOKEN_PROGRAM),
      utf8('ProgramDerivedAddress'),
    )
    if (!isOnCurve(hash)) return base58(hash)
  }
  throw new RangeError('no bump gives an off-curve address')
}

/** Derives a wallet's vault under a key version. */
export const vaultOf = (wallet: string, version: number): Seeded =>
  seeded(wallet, `agentcred-vault:${version}`)

/** Derives the payout account of an agents' owner under a key version. */
export const payoutAccountOf = (owner: string, version: number): Seeded =>
  seeded(owner, `agentcred-collector:${version}`)

/** Derives the refund account of a hirer under a key version. It owns the escrows of its jobs. */
export const refundAccountOf = (hirer: string, version: number): Seeded =>
  seeded(hirer, `agentcred-refund:${version}`)

/** The most addresses of a hire's budget account. The service takes the next if the hirer used one. */
export const MAX_BUDGET_ACCOUNTS = 16

/** Finds the budget account of a hire; undefined if the address is not one of its first sixteen. */
export function budgetAccountOf(wallet: string, hireId: string, address: string): Seeded | undefined {
  for (let number = 0; number < MAX_BUDGET_ACCOUNTS; number += 1) {
    const seed =
      number === 0 ? hireId.replaceAll('-', '') : hex(sha256(utf8(`${hireId}:${number}`))).slice(0, 32)
    const account = seeded(wallet, seed)
    if (account.address === address) return account
  }
  return undefined
}
