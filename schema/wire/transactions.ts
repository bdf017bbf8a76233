import * as v from 'valibot'
import { describe, describeParameters } from '../docs.ts'
import { SIGNATURE, TRANSACTION, TRANSACTION_ID } from '../examples.ts'
import { OwnText } from './answer-text.ts'
import { Uuid, WireUuid } from './common.ts'
import { Opaque } from './text.ts'

// Requests and answers of the two relays, for the vault and for payments.

/** Base64. Any text is accepted here: the relay refuses a transaction other than the one that was built. */
const Transaction = Opaque('^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$')

/** Body of POST /vault/transactions, POST /payments/transactions. */
export const RelayRequest = v.strictObject({ id: Uuid, transaction: Transaction })

describe(RelayRequest, {
  name: 'RelayRequest',
  description: 'A signed transaction.',
  fields: { id: 'The `id` that it was built with.', transaction: 'Base64, signed by the owner.' },
  example: { id: TRANSACTION_ID, transaction: TRANSACTION },
})

export const TransactionPath = v.object({ id: Uuid })

describeParameters(TransactionPath, { id: 'The `id` that it was built with.' }, { id: TRANSACTION_ID })

export const RelayedTransaction = v.strictObject({
  id: WireUuid,
  signature: OwnText,
})

describe(RelayedTransaction, {
  name: 'RelayedTransaction',
  description: 'A transaction that was sent to the network.',
  fields: { id: 'UUID.', signature: 'Its id on the network, in Base58.' },
  example: { id: TRANSACTION_ID, signature: SIGNATURE },
})
