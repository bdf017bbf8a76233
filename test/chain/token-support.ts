import { type Address, address, createNoopSigner, type Instruction } from '@solana/kit'
import {
  type Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js'
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeMint2Instruction,
  getMintToInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'
import { fundedWallet } from './support.ts'

const TOKEN = new PublicKey(TOKEN_PROGRAM_ADDRESS)

/** A mint with 9 decimals and a holder of all its supply. */
export async function mintTo(connection: Connection, amount: bigint) {
  const authority = await fundedWallet(connection)
  const [mint, holder] = [Keypair.generate(), Keypair.generate()]
  const source = await ataOf(holder, mint)
  await send(
    connection,
    authority,
    [mint],
    [
      SystemProgram.createAccount({
        fromPubkey: authority.publicKey,
        newAccountPubkey: mint.publicKey,
        lamports: await connection.getMinimumBalanceForRentExemption(82),
        space: 82,
        programId: TOKEN,
      }),
      getInitializeMint2Instruction({ mint: key(mint), decimals: 9, mintAuthority: key(authority) }),
      getCreateAssociatedTokenIdempotentInstruction({
        payer: signer(authority),
        ata: source,
        owner: key(holder),
        mint: key(mint),
      }),
      getMintToInstruction({ mint: key(mint), token: source, mintAuthority: signer(authority), amount }),
    ],
  )
  return { mint, authority, holder, source }
}

export function send(
  connection: Connection,
  payer: Keypair,
  others: Keypair[],
  instructions: (TransactionInstruction | Instruction)[],
): Promise<string> {
  const transaction = new Transaction({ feePayer: payer.publicKey }).add(
    ...instructions.map((one) =>
      one instanceof TransactionInstruction
        ? one
        : new TransactionInstruction({
            programId: new PublicKey(one.programAddress),
            data: Buffer.from(one.data ?? []),
            keys: (one.accounts ?? []).map(({ address, role }) => ({
              pubkey: new PublicKey(address),
              isSigner: role >= 2,
              isWritable: role % 2 === 1,
            })),
          }),
    ),
  )
  return sendAndConfirmTransaction(connection, transaction, [payer, ...others])
}

export function key(wallet: Keypair): Address {
  return address(wallet.publicKey.toBase58())
}

export function signer(wallet: Keypair) {
  return createNoopSigner(key(wallet))
}

export async function ataOf(owner: Keypair, mint: Keypair): Promise<Address> {
  const tokenProgram = TOKEN_PROGRAM_ADDRESS
  const [account] = await findAssociatedTokenPda({ owner: key(owner), mint: key(mint), tokenProgram })
  return account
}
