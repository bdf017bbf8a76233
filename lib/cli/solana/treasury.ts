import { createKeyPairSignerFromBytes, address as kitAddress } from '@solana/kit'
import {
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token'
import { CRED_DECIMALS, type Cred, formatAmount, lamports } from '../../../schema/amounts.ts'
import { type Address, parseAddress } from '../../solana/address.ts'
import { ownTokenAccount } from '../../solana/cred-account.ts'
import { associatedTokenAddress } from '../../solana/programs/associated-token.ts'
import type { SecretKey } from '../../tools/keys/solana.ts'
import type { Cluster } from './cluster.ts'
import { send } from './mint.ts'

/** A smaller amount stays in an older treasury: anybody may have sent it. */
const DUST = 10n ** BigInt(CRED_DECIMALS)
/** The most lamports that the move costs: the rent of a token account, and the fee. */
const NEEDED = lamports(2_100_000n)

/**
 * Moves an authority's treasury to another authority's, unless it is less than one CRED, and waits for the
 * confirmation. A second run moves tokens that came since.
 * @param from the key that owns the treasury and pays
 * @returns the amount and the destination; undefined if there was nothing to move
 * @throws Error with the network's reason; nothing was moved then
 */
export async function moveTreasury(
  cluster: Cluster,
  mint: Address,
  from: SecretKey,
  to: Address,
): Promise<{ amount: Cred; treasury: Address } | undefined> {
  const authority = await createKeyPairSignerFromBytes(from)
  const owner = parseAddress(authority.address)
  const [source, treasury] = await Promise.all([owner, to].map((one) => associatedTokenAddress(one, mint)))
  if (source === undefined || treasury === undefined) return undefined
  const { accounts } = await cluster.rpc.accounts([source, owner])
  const amount = ownTokenAccount(accounts[0], { owner, mint })?.amount
  if (amount === undefined || amount < DUST) return undefined
  if ((accounts[1]?.lamports ?? 0n) < NEEDED)
    throw new Error(`send ${formatAmount(NEEDED)} SOL to ${owner}, which pays the fees to move its treasury`)
  await send(cluster, authority, [
    getCreateAssociatedTokenIdempotentInstruction({
      payer: authority,
      ata: kitAddress(treasury),
      owner: kitAddress(to),
      mint: kitAddress(mint),
    }),
    getTransferCheckedInstruction({
      source: kitAddress(source),
      mint: kitAddress(mint),
      destination: kitAddress(treasury),
      authority,
      amount,
      decimals: CRED_DECIMALS,
    }),
  ])
  return { amount, treasury }
}
