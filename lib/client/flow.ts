import { toBase64 } from './encoding.ts'
import { AgentCredError } from './error.ts'
import type { PaymentTransactionResponse, TransactionResponse } from './generated/types.ts'
import type { AnswerOf, AnyRequest, CallOptions } from './operations.ts'
import { type Settling, type StatusName, settled } from './settle.ts'
import { unlessAborted } from './waiting.ts'
import { ask } from './wallet.ts'

/** A step of a transaction: the service builds it, the wallet signs, it is sent, the network takes it. */
export type TransactionStep = 'build' | 'sign' | 'send' | 'wait'

type Built = TransactionResponse | PaymentTransactionResponse

/** What a flow is doing now. `transaction.message` says in words what signing does, its costs included. */
export type Progress =
  | { step: 'build'; transaction?: undefined }
  | { step: 'sign' | 'send' | 'wait'; transaction: Built }

export type TransactOptions = CallOptions & {
  /** Told of each step as it begins. A first stake may take two transactions. */
  onStep?: ((progress: Progress) => void) | undefined
}

/** Adds the wallet's signature; undefined once the wallet has sent the transaction itself. */
export type Sign = (transaction: string) => Promise<Uint8Array | undefined>

/** What the service sends a signed transaction by. */
const RELAY_OF = {
  'GET /vault/transactions/{id}': 'POST /vault/transactions',
  'GET /payments/transactions/{id}': 'POST /payments/transactions',
} as const

/**
 * Has a built transaction signed and sent, and waits until it has landed. An aborted signal ends it at once,
 * whatever the wallet answers later.
 * @param status the operation that tells what became of it
 * @throws AgentCredError with the `step` that failed, and the transaction's id
 */
export async function complete<Name extends StatusName>(
  deps: Settling,
  status: Name,
  built: Built,
  sign: Sign,
  { onStep, signal }: TransactOptions,
): Promise<AnswerOf<Name>> {
  const { id } = built
  onStep?.({ step: 'sign', transaction: built })
  signal?.throwIfAborted()
  const signed = await at('sign', id, () =>
    unlessAborted(
      ask('sign the transaction', () => sign(built.transaction)),
      signal,
    ),
  )
  if (signed) {
    signal?.throwIfAborted()
    onStep?.({ step: 'send', transaction: built })
    const body = { id, transaction: toBase64(signed) }
    const relay = deps.call as (name: (typeof RELAY_OF)[Name], request: AnyRequest) => Promise<unknown>
    await at('send', id, () => relay(RELAY_OF[status], { body, signal }))
  }
  onStep?.({ step: 'wait', transaction: built })
  return at('wait', id, () => settled(deps, status, id, { signal }))
}

/** Says of an error at which step of a flow it happened. */
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
