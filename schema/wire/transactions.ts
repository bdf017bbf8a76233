import { SIGNATURE, TRANSACTION, TRANSACTION_ID } from '../examples.ts'
import { OwnText } from './answer-text.ts'
import { body, parameters } from './body.ts'
import { Uuid, WireUuid } from './common.ts'
import { Opaque } from './text.ts'

// Requests and answers of the two relays, for the vault and for payments.

/** Base64. Any text is accepted here: the relay refuses a transaction other than the one that was built. */
const Transaction = Opaque('^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$')

/** Body of POST /vault/transactions, POST /payments/transactions. */
export const RelayRequest = body(
  'RelayRequest',
  'A signed transaction.',
  {
    id: [Uuid, 'The `id` that it was built with.'],
    transaction: [Transaction, 'Base64, signed by the owner.'],
  },
  { id: TRANSACTION_ID, transaction: TRANSACTION },
)

export const TransactionPath = parameters(
  { id: [Uuid, 'The `id` that it was built with.'] },
  { id: TRANSACTION_ID },
)

export const RelayedTransaction = body(
  'RelayedTransaction',
  'A transaction that was sent to the network.',
  { id: [WireUuid, 'UUID.'], signature: [OwnText, 'Its id on the network, in Base58.'] },
  { id: TRANSACTION_ID, signature: SIGNATURE },
)
