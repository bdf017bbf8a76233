import { AgentCredError } from './error.ts'
import type { AnswerOf, AnyRequest, Call, CallOptions } from './operations.ts'
import type { Sleep } from './waiting.ts'

const ASKED_EVERY_MS = 2_000
/** A transaction lands or expires within some 90 seconds; the service needs a little longer to be sure. */
const WAITED_MS = 180_000
/** A request that was given up may still be on its way to the service. */
const UNSENT_AFTER_MS = 10_000

export type Settling = { call: Call; sleep: Sleep; now: () => number }

/** The operations that tell what became of a transaction. */
export type StatusName = 'GET /vault/transactions/{id}' | 'GET /payments/transactions/{id}'

/**
 * Waits until a transaction that was sent has landed.
 * @throws AgentCredError transaction_expired or transaction_failed when it never will; not_sent when the
 *   service was not given it for ten seconds; outcome_unknown after three minutes
 */
export async function settled<Name extends StatusName>(
  { call, sleep, now }: Settling,
  name: Name,
  id: string,
  { signal }: CallOptions,
): Promise<AnswerOf<Name>> {
  const read = call as (name: Name, request: AnyRequest) => Promise<AnswerOf<Name>>
  const startedAt = now()
  for (;;) {
    const transaction = await read(name, { path: { id }, signal })
    const { status, reason } = transaction
    if (status === 'landed') return transaction
    const details = { transactionId: id }
    if (status === 'expired')
      throw new AgentCredError('transaction_expired', 'The network did not take the transaction', details)
    if (status === 'failed')
      throw new AgentCredError('transaction_failed', `The transaction failed: ${reason}`, details)
    if (status === 'unsigned' && now() >= startedAt + UNSENT_AFTER_MS)
      throw new AgentCredError('not_sent', 'The service was not given the signed transaction', details)
    if (now() >= startedAt + WAITED_MS)
      throw new AgentCredError('outcome_unknown', 'The transaction has not landed yet; it may', details)
    await sleep(ASKED_EVERY_MS, signal)
  }
}
