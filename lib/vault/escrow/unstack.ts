import { CRED_DECIMALS, type Cred, formatAmount } from '../../../schema/amounts.ts'
import type { Signing } from '../../../schema/values.ts'
import type { Signer } from '../../keys/signer.ts'
import type { Address } from '../../solana/address.ts'
import { closeAccount, transferChecked } from '../../solana/programs/token.ts'
import type { Built, Network } from '../../transactions/cosigning/envelope.ts'
import type { Escrow } from '../addresses.ts'
import { approvalOf, cosign } from './cosign.ts'
import { type PayoutAccount, preparePayout } from './payout-account.ts'

type Unstack = {
  /** The intent's id, for the memo. */
  id: string
  escrow: Escrow
  position: Address
  /** The whole balance of the position. */
  balance: Cred
  /**
   * Leaves the account open. Closing in the same transaction needs an empty account, so a single unit that
   * anybody sends to it in between would fail the payout, too.
   */
  leaveOpen?: boolean
  signing?: Signing
  payout: PayoutAccount
  network: Network
}

/**
 * Builds the transaction that pays out a whole position, principal and unclaimed yield, and closes it.
 * Closing returns the rent, and a closed account can't be paid from twice. With the recovery key as cosigner,
 * an owner withdraws without the service.
 * @throws TypeError when the cosigner is not a signer of the vault
 */
export async function buildUnstack(cosigner: Signer, unstack: Unstack): Promise<Built> {
  const { balance, escrow, id, leaveOpen = false, network, payout, position, signing } = unstack
  const { mint, owner } = escrow
  const approval = await approvalOf(escrow, cosigner)
  const { destination, preparation } = await preparePayout(payout, escrow)
  const text = `AgentCred unstack ${id}: ${formatAmount(balance)} CRED`
  return cosign(cosigner, { owner, signing, network, text }, [
    ...preparation,
    transferChecked(
      { source: position, mint, destination, amount: balance, decimals: CRED_DECIMALS },
      approval,
    ),
    ...(leaveOpen ? [] : [closeAccount(position, owner, approval)]),
  ])
}

/**
 * Builds the transaction that pays out the residual tokens of a withdrawn position's account, and closes it.
 * @throws TypeError when the cosigner is not a signer of the vault
 */
export async function buildLeftovers(
  cosigner: Signer,
  { balance, escrow, id, network, payout, position, signing }: Omit<Unstack, 'leaveOpen'>,
): Promise<Built> {
  const { mint, owner } = escrow
  const approval = await approvalOf(escrow, cosigner)
  const { destination, preparation } = await preparePayout(payout, escrow)
  const transfer = { source: position, mint, destination, amount: balance, decimals: CRED_DECIMALS }
  const text = `AgentCred leftovers ${id}: ${formatAmount(balance)} CRED`
  return cosign(cosigner, { owner, signing, network, text }, [
    ...(balance > 0n ? [...preparation, transferChecked(transfer, approval)] : []),
    closeAccount(position, owner, approval),
  ])
}
