import { ownTokenAccount } from '../../solana/cred-account.ts'
import type { ChainAccount } from '../../solana/token-state.ts'
import type { PaymentError } from './errors.ts'
import type { Payment } from './payment.ts'
import type { PaymentTerms } from './requirements.ts'

/**
 * Checks the accounts of a payment as the chain has them. The source must be the payer's own account. A
 * delegate could move the tokens of the agent's owner to the owner, and would have paid nothing.
 * @returns the error, or the balance of the source
 */
export function sourceBalance(
  { payer, price }: Payment,
  { owner }: PaymentTerms,
  accounts: { source: ChainAccount | undefined; destination: ChainAccount | undefined },
): bigint | PaymentError {
  const mint = price.asset
  const source = ownTokenAccount(accounts.source, { owner: payer, mint })
  if (!source) return 'source_unusable'
  if (!ownTokenAccount(accounts.destination, { owner, mint })) return 'destination_unusable'
  return source.amount < price.amount ? 'insufficient_funds' : source.amount
}
