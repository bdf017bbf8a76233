import {
  createKeyPairSignerFromBytes,
  getBase64EncodedWireTransaction,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit'
import { findAssociatedTokenPda, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { CRED_DECIMALS } from '../../../schema/amounts.ts'
import { createMint, mintTo } from '../../local/chain/genesis.ts'
import { signInstructions } from '../../local/chain/sending.ts'
import { parseAddress } from '../../solana/address.ts'
import { ownTokenAccount } from '../../solana/cred-account.ts'
import { MINT_BYTES } from '../../solana/programs/token.ts'
import { type ChainAccount, decodeMint, type Mint } from '../../solana/token-state.ts'
import type { SecretKey } from '../../tools/keys/solana.ts'
import type { Cluster } from './cluster.ts'
import { land } from './confirmation.ts'

/**
 * `minted` is the amount that this run added to the treasury, in base units; `made` is true if it made the
 * mint.
 */
type PreparedMint = { mint: string; treasury: string; balance: bigint; minted: bigint; made: boolean }

/**
 * Makes sure that the mint exists (classic Token program, 9 decimals, no freeze authority), and that the
 * treasury has at least `amount`. The treasury is the authority's associated token account. It sends at most
 * one transaction.
 * @throws Error if the mint's address has another account, or the mint another authority
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
      `${authority.address} is not the mint authority of ${mint.address}: fund ${treasury} yourself`,
    )
  }
  await send(cluster, authority, [
    ...(known ? [] : createMint({ mint, authority }, await mintRent(cluster))),
    ...mintTo({ mint, authority }, { owner: authority.address, account: treasury, amount: missing }),
  ])
  return result
}

const mintRent = async ({ call }: Cluster): Promise<bigint> =>
  BigInt(
    await call('getMinimumBalanceForRentExemption', (connection) =>
      connection.getMinimumBalanceForRentExemption(MINT_BYTES),
    ),
  )

function requireMint(address: string, account: ChainAccount): Mint {
  const mint = decodeMint(account)
  if (mint?.decimals === CRED_DECIMALS) return mint
  throw new Error(`${address} already exists, and is not a classic Token mint with ${CRED_DECIMALS} decimals`)
}

/** Signs and sends a transaction. @throws Error with the network's reason; nothing has changed then */
export async function send(
  cluster: Cluster,
  payer: KeyPairSigner,
  instructions: Instruction[],
): Promise<void> {
  const latest = await cluster.rpc.latestBlockhash()
  const signed = await signInstructions(payer, instructions, latest)
  const confirmation = await land(
    cluster,
    getBase64EncodedWireTransaction(signed),
    latest.lastValidBlockHeight,
  )
  if (confirmation.kind !== 'landed')
    throw new Error(`the transaction of ${payer.address} did not land: ${confirmation.reason}`)
}
