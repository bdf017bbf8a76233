import type { Wire } from '../../../schema/wire/common.ts'
import type { RelayedTransaction } from '../../../schema/wire/transactions.ts'

/** A transaction that was handed to the network. */
export const relayedView = (sent: { id: string; signature: string }): Wire<typeof RelayedTransaction> => ({
  id: sent.id,
  signature: sent.signature,
})
