/* The programs of the lists, and the sizes and rents of the accounts that they open. */

export const SYSTEM_PROGRAM = '11111111111111111111111111111111'
export const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111'
export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
export const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'

export const CRED_DECIMALS = 9
export const TOKEN_ACCOUNT_BYTES = 165
export const MULTISIG_BYTES = 355

/** The compute units of every transaction of the service. */
export const COMPUTE_UNIT_LIMIT = 200_000
export const LAMPORTS_PER_SIGNATURE = 5_000n

/** The most that a transaction may cost the wallet in network fees: 0.001 SOL. */
export const MAX_FEE_LAMPORTS = 1_000_000n

/** The network's rent: lamports for each byte, also for the 128 that every account has more. */
const RENT_PER_BYTE = 6_960n
const OVERHEAD_BYTES = 128

/** Computes the rent of an account, the most that a transaction may move into it. */
export const maxRent = (bytes: number): bigint => RENT_PER_BYTE * BigInt(OVERHEAD_BYTES + bytes)
