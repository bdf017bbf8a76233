import { CRED_DECIMALS, type Cred, formatAmount } from '../../../schema/amounts.ts'
import type { Address } from '../../solana/address.ts'
import { readonly } from '../../solana/instruction.ts'
import { associatedTokenAddress } from '../../solana/programs/associated-token.ts'
import { seededTokenAccount } from '../../solana/programs/seeded-account.ts'
import { transferChecked } from '../../solana/programs/token.ts'
import { type Built, type Network, unsigned } from '../../transactions/cosigning/envelope.ts'
import type { PaymentKeys } from './collector.ts'

/**
 * Derives the reference of a purchase: a new address without an account that the transfer names. A search for
 * the message reads only the transactions that name this address.
 */
export const purchaseReference = async (owner: Address, id: string): Promise<Address> =>
  (await seededTokenAccount(owner, id.replaceAll('-', ''))).address

type Purchase = {
  /** The intent's id, for the memo. */
  id: string
  owner: Address
  keys: PaymentKeys
  mint: Address
  /** The token account that receives the payment. */
  treasury: Address
  amount: Cred
  network: Network
}

/**
 * Builds the transaction that pays the treasury for credit. The owner signs first, then the authority. A
 * transfer buys credit only with a memo that the authority has signed.
 */
export async function buildPurchase(purchase: Purchase): Promise<Built> {
  const { id, owner, keys, mint, treasury, amount, network } = purchase
  const source = await associatedTokenAddress(owner, mint)
  const transfer = transferChecked(
    { source, mint, destination: treasury, amount, decimals: CRED_DECIMALS },
    { owner },
  )
  const reference = readonly(await purchaseReference(owner, id))
  const text = `AgentCred credit ${id}: ${formatAmount(amount)} CRED`
  return unsigned({ owner, network, text }, keys.authority, [
    { ...transfer, accounts: [...transfer.accounts, reference] },
  ])
}
