import { AgentCredError } from '../error.ts'

/** Makes the error of a transaction that is not the ordered one. Nothing was signed then. */
export const unexpected = (difference: string): AgentCredError =>
  new AgentCredError(
    'transaction_unexpected',
    `Nothing was signed, because the service’s transaction is not the one that you ordered: ${difference}.`,
  )
