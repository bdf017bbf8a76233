import type { Db } from '../db/connect.ts'
import { type Address, isAddress, parseAddress } from '../solana/address.ts'
import { decodeAttestation } from '../solana/attestation-service.ts'
import type { Rpc } from '../solana/rpc.ts'
import type { ChainAccount } from '../solana/token-state.ts'
import type { AttestationRow } from './queries.ts'
import { selectPending } from './queue-queries.ts'
import { decide, moveToReview } from './verification-queries.ts'

/**
 * Attestations that one run takes. Each is one or two statements; their accounts are one call to the chain.
 */
const MAX_PER_RUN = 50

export type ReviewDeps = {
  db: Db
  rpc: Rpc
  /** Credential accounts of the Solana Attestation Service that are trusted. */
  trustedIssuers: Address[]
  now: Date
}

/**
 * Takes what waits for verification, expedited ones first: an on-chain attestation of a trusted issuer
 * decides at once, everything else goes to the human oracles. Safe to run twice at once and to run again:
 * each step is guarded by the state that it leaves.
 * @param requestedBefore only what has waited since then
 * @throws Refusal dependency_unavailable when the chain was needed and did not answer; what needed no chain
 *   is done
 */
export async function reviewPending(
  deps: ReviewDeps,
  requestedBefore: Date,
): Promise<{ proven: number; inReview: number }> {
  const waiting = await selectPending(deps.db, requestedBefore, MAX_PER_RUN)
  const onChain = waiting.filter(({ credentialId }) => isAddress(credentialId))
  const others = waiting.filter(({ credentialId }) => !isAddress(credentialId))
  for (const { id } of others) await moveToReview(deps.db, id)
  const counts = { proven: 0, inReview: others.length }
  if (onChain.length === 0) return counts
  const { accounts } = await deps.rpc.accounts(onChain.map(({ credentialId }) => parseAddress(credentialId)))
  for (const [i, row] of onChain.entries()) {
    const proof = proofOf(row, accounts[i], deps)
    if (!proof) {
      await moveToReview(deps.db, row.id)
      counts.inReview += 1
      continue
    }
    const decision = { status: 'verified', level: 'on_chain_proven', by: row.credentialId, ...proof } as const
    await decide(deps.db, row.id, 'pending', decision, deps.now)
    counts.proven += 1
  }
  return counts
}

/**
 * Checks whether an account proves an attestation: it is of the Solana Attestation Service, by a trusted
 * issuer, about this wallet (its nonce), and not expired.
 */
function proofOf(
  { wallet }: AttestationRow,
  account: ChainAccount | undefined,
  { trustedIssuers, now }: ReviewDeps,
): { expiresAt?: Date } | undefined {
  const attestation = decodeAttestation(account)
  if (!attestation || !trustedIssuers.includes(attestation.credential)) return undefined
  if ((attestation.nonce as string) !== wallet) return undefined
  if (attestation.expiry === 0n) return {}
  const expiresAt = new Date(Number(attestation.expiry) * 1000)
  // A year beyond what a Date can hold is as good as never.
  if (Number.isNaN(expiresAt.getTime())) return attestation.expiry > 0n ? {} : undefined
  return now < expiresAt ? { expiresAt } : undefined
}
