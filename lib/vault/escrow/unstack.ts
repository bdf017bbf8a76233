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
  /** The intent's id, for the memo. A withdrawal without the service has another text here. */
  id: string
  escrow: Escrow
  /** The token account that holds the position. */
  position: Address
  /** The whole balance of the position. */
  balance: Cred
  /**
   * Leaves the account open. Closing in the same transaction needs an empty account, so a single unit that
   * anybody sends to it in between would fail the payout, too. Set it once somebody has sent tokens to the
   * account (`wouldBeBlocked` in ../payout/unstack.ts). {@link buildAccountClosing} closes it afterwards.
   */
  leaveOpen?: boolean
  /** The order of signing. Without it the cosigner signs at once, as with `service_first`. */
  signing?: Signing
  payout: PayoutAccount
  network: Network
}

/**
 * Builds the transaction that pays out a whole position, principal and unclaimed yield, and closes its
 * account unless `leaveOpen` is set. Closing returns the rent, and a closed account can't be paid from twice.
 * @param cosigner normally the service's authority. With the recovery key instead, an owner withdraws without
 *   the service
 * @throws TypeError when the cosigner is neither the authority nor the recovery key of `escrow.keys`
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
 * Builds the transaction that closes the account of a withdrawn position, which {@link buildUnstack} with
 * `leaveOpen` has left open. It pays out the tokens that others have sent to the account, if there are any.
 * @throws TypeError as buildUnstack does
 */
export async function buildAccountClosing(
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
