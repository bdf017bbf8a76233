import { CRED_DECIMALS, type Cred, formatAmount } from '../../../schema/amounts.ts'
import type { Address } from '../../solana/address.ts'
import type { Signer } from '../../solana/signer.ts'
import { closeAccount, transferChecked } from '../../solana/token.ts'
import type { Escrow } from '../addresses.ts'
import { approvalOf, type Built, cosign, type Network } from './cosign.ts'
import { type PayoutAccount, preparePayout } from './payout-account.ts'

type Unstack = {
  /** The intent's id, for the memo. */
  id: string
  escrow: Escrow
  position: Address
  /** All that the position holds. If it holds anything else when this lands, nothing happens. */
  balance: Cred
  payout: PayoutAccount
  network: Network
}

/**
 * Pays a position out whole, principal and unclaimed yield, and closes it, which returns its rent. A closed
 * account can't be paid from twice. The same transaction with the recovery key as cosigner is the exit when
 * the service is gone.
 * @throws TypeError when the cosigner is no signer of the vault
 */
export async function buildUnstack(cosigner: Signer, unstack: Unstack): Promise<Built> {
  const { balance, escrow, id, network, payout, position } = unstack
  const { mint, owner } = escrow
  const approval = await approvalOf(escrow, cosigner)
  const { destination, preparation } = await preparePayout(payout, escrow)
  const text = `AgentCred unstack ${id}: ${formatAmount(balance)} CRED`
  return cosign(cosigner, { owner, network, text }, [
    ...preparation,
    transferChecked(
      { source: position, mint, destination, amount: balance, decimals: CRED_DECIMALS },
      approval,
    ),
    closeAccount(position, owner, approval),
  ])
}
