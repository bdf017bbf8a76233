import type { InferInput } from 'valibot'
import { PaymentTransactionResponse, paymentTransactionExample } from '../../schema/wire/payments.ts'

type Response = InferInput<typeof PaymentTransactionResponse>

/**
 * Returns the docs of the answers of an operation that builds a transaction.
 * @param example the fields of its own in its example
 */
export const builtWords = (
  example: Pick<Response, 'kind' | 'message'> & Pick<Partial<Response>, 'address' | 'collection' | 'jobs'>,
) => ({
  200: {
    description: 'The transaction to sign.',
    schema: PaymentTransactionResponse,
    links: { relayPayment: { id: '#/id' }, getPayment: { id: '#/id' } } as const,
    example: { ...paymentTransactionExample, ...example },
  },
})
