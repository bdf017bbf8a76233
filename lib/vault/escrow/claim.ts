import { CRED_DECIMALS, type Cred, formatAmount, sumOf } from '../../../schema/amounts.ts'
import type { Signing } from '../../../schema/values.ts'
import type { Signer } from '../../keys/signer.ts'
import type { Address } from '../../solana/address.ts'
import { transferChecked } from '../../solana/programs/token.ts'
import type { Built, Network } from '../../transactions/cosigning/envelope.ts'
import type { Escrow } from '../addresses.ts'
import { largestFirst } from '../rules.ts'
import { approvalOf, cosign } from './cosign.ts'
import { type PayoutAccount, preparePayout } from './payout-account.ts'

/** The most positions of one claim. With one more the transaction would be too large. */
export const MAX_POSITIONS_PER_CLAIM = {
  service_first: { associated: 11, fresh: 9 },
  wallet_first: { associated: 8, fresh: 5 },
} as const satisfies Record<Signing, Record<PayoutAccount['kind'], number>>

/** Yield to pay from one position. */
type Due = { position: Address; amount: Cred }

type Claim = {
  /** The intent's id, for the memo. */
  id: string
  escrow: Escrow
  due: Due[]
  payout: PayoutAccount
  signing?: Signing
  network: Network
}

/**
 * Chooses the positions that one transaction pays from: the largest amounts, as many as fit. The next claim
 * pays the rest. All must have one key version, since a transaction has one cosigner.
 */
export const largestDue = <D extends Due>(due: D[], payout: PayoutAccount, signing: Signing): D[] =>
  due.toSorted(largestFirst).slice(0, MAX_POSITIONS_PER_CLAIM[signing][payout.kind])

/**
 * Builds the transaction that pays yield from positions. It creates the owner's token account if that was
 * closed.
 * @throws TypeError when the cosigner is not a signer of the vault
 * @throws RangeError for no position or more than MAX_POSITIONS_PER_CLAIM
 */
export async function buildClaim(cosigner: Signer, claim: Claim): Promise<Built> {
  const { due, escrow, id, network, payout, signing = 'service_first' } = claim
  const most = MAX_POSITIONS_PER_CLAIM[signing][payout.kind]
  if (due.length === 0 || due.length > most) {
    throw new RangeError(`a claim pays from 1 to ${most} positions, not ${due.length}`)
  }
  const approval = await approvalOf(escrow, cosigner)
  const { destination, preparation } = await preparePayout(payout, escrow)
  const total = sumOf(due.map(({ amount }) => amount))
  const from = due.length === 1 ? '1 position' : `${due.length} positions`
  const text = `AgentCred claim ${id}: ${formatAmount(total)} CRED of yield from ${from}`
  return cosign(cosigner, { owner: escrow.owner, signing, network, text }, [
    ...preparation,
    ...due.map(({ position, amount }) =>
      transferChecked(
        { source: position, mint: escrow.mint, destination, amount, decimals: CRED_DECIMALS },
        approval,
      ),
    ),
  ])
}
