import type { Address, Instruction, TransactionSigner } from '@solana/kit'
import { getCreateAccountInstruction } from '@solana-program/system'
import {
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeMint2Instruction,
  getMintToCheckedInstruction,
} from '@solana-program/token'
import { CRED_DECIMALS } from '../../../schema/amounts.ts'
import { MINT_BYTES } from '../../solana/programs/token.ts'
import { TOKEN_PROGRAM } from './programs.ts'

type MintKeys = { mint: TransactionSigner; authority: TransactionSigner }

/** Creates a classic Token mint for CRED, paid by its authority and without a freeze authority. */
export const createMint = ({ mint, authority }: MintKeys, rent: bigint): Instruction[] => [
  getCreateAccountInstruction({
    payer: authority,
    newAccount: mint,
    lamports: rent,
    space: BigInt(MINT_BYTES),
    programAddress: TOKEN_PROGRAM,
  }),
  getInitializeMint2Instruction({
    mint: mint.address,
    decimals: CRED_DECIMALS,
    mintAuthority: authority.address,
    freezeAuthority: null,
  }),
]

/** Mints base units of CRED to the owner's associated token account, which is made when it is missing. */
export const mintTo = (
  { mint, authority }: MintKeys,
  { owner, account, amount }: { owner: Address; account: Address; amount: bigint },
): Instruction[] => [
  getCreateAssociatedTokenIdempotentInstruction({
    payer: authority,
    ata: account,
    owner,
    mint: mint.address,
  }),
  getMintToCheckedInstruction({
    mint: mint.address,
    token: account,
    mintAuthority: authority,
    amount,
    decimals: CRED_DECIMALS,
  }),
]
