import type { InferInput } from 'valibot'
import { TransactionResponse, transactionExample } from '../../schema/wire/vault.ts'

/**
 * The words for the answers of an operation that builds a transaction.
 * @param message of the example, with what else it has of its own
 */
export const builtWords = (message: string, more: Partial<InferInput<typeof TransactionResponse>> = {}) => ({
  200: {
    description: 'The transaction to sign.',
    schema: TransactionResponse,
    links: { relayTransaction: { id: '#/id' }, getTransaction: { id: '#/id' } } as const,
    example: { ...transactionExample, message, ...more },
  },
})
