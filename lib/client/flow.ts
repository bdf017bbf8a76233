import { toBase64 } from './encoding.ts'
import { AgentCredError } from './error.ts'
import type { PaymentTransactionResponse, TransactionResponse } from './generated/types.ts'
import type { AnswerOf, AnyRequest, Call, CallOptions } from './operations.ts'
import type { TransactionStep } from './steps.ts'
import type { Summary } from './verify/order.ts'
import { type Sleep, throwIfAborted, unlessAborted } from './waiting.ts'
import { ask } from './wallet.ts'

type Built = TransactionResponse | PaymentTransactionResponse

/**
 * The present step of a flow. `summary` says what the verified transaction does and costs; show it to the
 * user instead of `transaction.message`, which nobody has verified.
 */
export type Progress =
  | { step: 'build'; transaction?: undefined; summary?: undefined }
  | { step: 'sign' | 'send' | 'wait'; transaction: Built; summary: Summary }

export type TransactOptions = CallOptions & {
  /** Called when a step begins. A first stake may take two transactions. */
  onStep?: ((progress: Progress) => void) | undefined
}

/** Adds the wallet's signature; undefined once the wallet has sent the transaction itself. */
export type Sign = (transaction: string) => Promise<Uint8Array | undefined>

/** The operation that sends a signed transaction. */
const RELAY_OF = {
  'GET /vault/transactions/{id}': 'POST /vault/transactions',
  'GET /payments/transactions/{id}': 'POST /payments/transactions',
} as const

/** What happens to a built transaction before it is sent: its check, and the wallet's signature. */
type Signing = { check: () => Promise<Summary>; sign: Sign }

/**
 * Verifies a built transaction, gets it signed, sends it, and waits until it is confirmed. An aborted signal
 * ends this immediately, even if the wallet answers later.
 * @param status the operation that returns the transaction's outcome
 * @throws AgentCredError with the `step` that failed, and the transaction's id
 */
export async function complete<Name extends StatusName>(
  deps: Settling,
  status: Name,
  built: Built,
  { check, sign }: Signing,
  { onStep, signal }: TransactOptions,
): Promise<AnswerOf<Name>> {
  const { id } = built
  const summary = await at('build', id, () => unlessAborted(check(), signal))
  onStep?.({ step: 'sign', transaction: built, summary })
  throwIfAborted(signal)
  const signed = await at('sign', id, () =>
    unlessAborted(
      ask('sign the transaction', () => sign(built.transaction)),
      signal,
    ),
  )
  if (signed) {
    throwIfAborted(signal)
    onStep?.({ step: 'send', transaction: built, summary })
    const body = { id, transaction: toBase64(signed) }
    const relay = deps.call as (name: (typeof RELAY_OF)[Name], request: AnyRequest) => Promise<unknown>
    await at('send', id, () => relay(RELAY_OF[status], { body, signal }))
  }
  onStep?.({ step: 'wait', transaction: built, summary })
  return at('wait', id, () => settled(deps, status, id, { signal, isSelfSent: signed === undefined }))
}

/** Adds the step of a flow to an error. */
export async function at<T>(
  step: TransactionStep,
  transactionId: string | undefined,
  action: () => Promise<T>,
) {
  try {
    return await action()
  } catch (error) {
    if (!(error instanceof AgentCredError)) throw error
    throw new AgentCredError(error.code, error.message, { ...error, cause: error.cause, step, transactionId })
  }
}

const ASKED_EVERY_MS = 2_000
/**
 * The longest wait. A transaction lands or expires within some 90 seconds, and the service needs a little
 * longer.
 */
const WAITED_MS = 180_000
/** After this time an aborted request can no longer reach the service. */
const UNSENT_AFTER_MS = 10_000

export type Settling = { call: Call; sleep: Sleep; now: () => number }

/** The operations that return a transaction's outcome. */
type StatusName = 'GET /vault/transactions/{id}' | 'GET /payments/transactions/{id}'

/**
 * Waits until a sent transaction is confirmed.
 * @param options.isSelfSent whether its wallet has sent it; then the service looks for it on the chain
 * @throws AgentCredError `transaction_expired` or `transaction_failed` if it has no effect; `not_sent` if the
 *   service did not receive it for ten seconds; `outcome_unknown` after three minutes
 */
export async function settled<Name extends StatusName>(
  { call, sleep, now }: Settling,
  name: Name,
  id: string,
  { signal, isSelfSent = false }: CallOptions & { isSelfSent?: boolean },
): Promise<AnswerOf<Name>> {
  const read = call as (name: Name, request: AnyRequest) => Promise<AnswerOf<Name>>
  const startedAt = now()
  for (;;) {
    const transaction = await read(name, { path: { id }, signal })
    const { status, reason } = transaction
    if (status === 'landed') return transaction
    const details = { transactionId: id }
    if (status === 'expired')
      throw new AgentCredError('transaction_expired', 'The network did not accept the transaction', details)
    if (status === 'failed')
      throw new AgentCredError('transaction_failed', `The transaction failed: ${reason}`, details)
    if (status === 'unsigned' && !isSelfSent && now() >= startedAt + UNSENT_AFTER_MS)
      throw new AgentCredError('not_sent', 'The service did not receive the signed transaction', details)
    if (now() >= startedAt + WAITED_MS)
      throw new AgentCredError(
        'outcome_unknown',
        'The transaction has not landed yet, but it still may',
        details,
      )
    await sleep(ASKED_EVERY_MS, signal)
  }
}
