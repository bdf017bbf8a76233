import type { ErrorCode } from '../../client/generated/types.ts'
import type { AnyErrorCode, Progress } from '../../client/index.ts'

/** A failed transaction's outcome: whether it may still be confirmed, and a sentence that says so. */
export type Left = { isOpen: boolean; words: string }

/** Errors that the service answers only before it signs or sends a transaction. */
const BEFORE_SENDING: ReadonlySet<AnyErrorCode> = new Set<ErrorCode>([
  'agent_suspended',
  'not_cosigned',
  'quota_exceeded',
  'stacking_paused',
  'too_many_open_stacks',
  'transaction_not_ours',
  'yield_limit',
])

/** Errors of a wait that prove the transaction's outcome. */
const ENDED: Partial<Record<AnyErrorCode, string>> = {
  not_sent: 'Nothing was sent. If you try again, a new transaction replaces this one.',
  transaction_expired: 'The transaction expired and can no longer go through.',
  transaction_failed: 'The transaction failed on Solana and can no longer go through.',
}

const OPEN: Left = {
  isOpen: true,
  words: 'This transaction may still go through. Check its status before you try again.',
}
const closed = (words: string): Left => ({ isOpen: false, words })

/**
 * Returns the outcome of a transaction by the step at which its flow failed. A transaction that may have been
 * sent counts as not sent only if the error proves it. The service may have done a request whose answer was
 * lost; then it answers a repeated one differently.
 */
export function leftBy(code: AnyErrorCode, { step, transaction }: Progress): Left {
  switch (step) {
    case 'build':
      return closed('No transaction was created.')
    case 'sign':
      return sendsItself(transaction) ? OPEN : closed('The transaction was not signed, so nothing was sent.')
    case 'send':
      return BEFORE_SENDING.has(code)
        ? closed('The service did not send the transaction. Nothing has changed.')
        : OPEN
    case 'wait': {
      const words = ENDED[code]
      return words === undefined ? OPEN : closed(words)
    }
  }
}

/** Returns whether the wallet got a transaction that the service has signed, and may send it itself. */
const sendsItself = (transaction: NonNullable<Progress['transaction']>): boolean =>
  'signing' in transaction && transaction.signing === 'service_first'
