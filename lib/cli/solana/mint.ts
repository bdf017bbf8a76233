import {
  appendTransactionMessageInstructions,
  type Blockhash,
  createKeyPairSignerFromBytes,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  type Instruction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import { getCreateAccountInstruction } from '@solana-program/system'
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeMint2Instruction,
  getMintToCheckedInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'
import * as v from 'valibot'
import { CRED_DECIMALS } from '../../../schema/amounts.ts'
import type { SecretKey } from '../../keys/solana.ts'
import { parseAddress } from '../../solana/address.ts'
import { MINT_BYTES } from '../../solana/token.ts'
import { type ChainAccount, decodeMint, type Mint } from '../../solana/token-state.ts'
import { ownTokenAccount } from '../../vault/chain-state.ts'
import type { Cluster } from './cluster.ts'
import { land } from './landing.ts'

/** `minted` is what this run added to the treasury, in base units; `made` is whether it made the mint. */
export type PreparedMint = { mint: string; treasury: string; balance: bigint; minted: bigint; made: boolean }

/**
 * Makes sure that the mint stands (classic Token program, 9 decimals, no freeze authority), and that the treasury,
 * which is the authority's associated token account, holds at least `amount`. One transaction; none when nothing is
 * missing.
 * @throws Error when the mint's address holds something else, or the mint is another authority's
 */
export async function prepareMint(
  cluster: Cluster,
  keys: { mint: SecretKey; authority: SecretKey },
  amount: bigint,
): Promise<PreparedMint> {
  const mint = await createKeyPairSignerFromBytes(keys.mint)
  const authority = await createKeyPairSignerFromBytes(keys.authority)
  const [treasury] = await findAssociatedTokenPda({
    owner: authority.address,
    mint: mint.address,
    tokenProgram: TOKEN_PROGRAM_ADDRESS,
  })
  const found = await cluster.rpc.accounts([mint.address, treasury].map(parseAddress))
  const [mintAccount, treasuryAccount] = found.accounts
  const known = mintAccount && requireMint(mint.address, mintAccount)
  const expected = { owner: parseAddress(authority.address), mint: parseAddress(mint.address) }
  const held = ownTokenAccount(treasuryAccount, expected)?.amount ?? 0n
  const missing = amount > held ? amount - held : 0n
  const result = { mint: mint.address, treasury, balance: held + missing, minted: missing, made: !known }
  if (known && missing === 0n && treasuryAccount) return result
  if (known && known.mintAuthority !== expected.owner) {
    throw new Error(
      `the mint ${mint.address} is not ${authority.address}'s to mint: fund ${treasury} yourself`,
    )
  }
  await send(cluster, authority, [
    ...(known ? [] : await creation(cluster, mint, authority)),
    getCreateAssociatedTokenIdempotentInstruction({
      payer: authority,
      ata: treasury,
      owner: authority.address,
      mint: mint.address,
    }),
    getMintToCheckedInstruction({
      mint: mint.address,
      token: treasury,
      mintAuthority: authority,
      amount: missing,
      decimals: CRED_DECIMALS,
    }),
  ])
  return result
}

async function creation({ call }: Cluster, mint: KeyPairSigner, authority: KeyPairSigner) {
  const lamports = await call('getMinimumBalanceForRentExemption', [MINT_BYTES], v.number())
  return [
    getCreateAccountInstruction({
      payer: authority,
      newAccount: mint,
      lamports: BigInt(lamports),
      space: BigInt(MINT_BYTES),
      programAddress: TOKEN_PROGRAM_ADDRESS,
    }),
    getInitializeMint2Instruction({
      mint: mint.address,
      decimals: CRED_DECIMALS,
      mintAuthority: authority.address,
      freezeAuthority: null,
    }),
  ]
}

function requireMint(address: string, account: ChainAccount): Mint {
  const mint = decodeMint(account)
  if (mint?.decimals === CRED_DECIMALS) return mint
  throw new Error(`${address} is there already, and no classic Token mint with ${CRED_DECIMALS} decimals`)
}

async function send(cluster: Cluster, payer: KeyPairSigner, instructions: Instruction[]): Promise<void> {
  const { blockhash, lastValidBlockHeight } = await cluster.rpc.latestBlockhash()
  const lifetime = { blockhash: blockhash as Blockhash, lastValidBlockHeight }
  const signed = await pipe(
    createTransactionMessage({ version: 'legacy' }),
    (message) => setTransactionMessageFeePayerSigner(payer, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
    (message) => appendTransactionMessageInstructions(instructions, message),
    (message) => signTransactionMessageWithSigners(message),
  )
  const landing = await land(cluster, getBase64EncodedWireTransaction(signed), lastValidBlockHeight)
  if (landing.kind !== 'landed') throw new Error(`mint and treasury could not be made: ${landing.reason}`)
}
