import type { TransactionStep } from './flow.ts'
import type { ErrorCode, Problem } from './generated/types.ts'

/** What goes wrong without an answer of the service that says so. */
export type ClientErrorCode =
  /** No answer: the network failed, or the time was over. */
  | 'unreachable'
  /** What answered is not the service: a proxy's error page, another site. */
  | 'unexpected_answer'
  /** The call needs a session, and the client was made without a wallet. */
  | 'wallet_missing'
  /** The wallet can not sign what the call needs. */
  | 'wallet_incapable'
  /** The wallet, or who holds it, declined; `cause` is what the wallet said. */
  | 'wallet_refused'
  /** The wallet does not hold what the stake takes. */
  | 'not_funded'
  /** The service was not given the signed transaction: nothing was sent. */
  | 'not_sent'
  /** A transaction was sent, and whether it landed is not known yet. */
  | 'outcome_unknown'

/** A service may answer codes that are newer than this client. */
export type AnyErrorCode = ErrorCode | ClientErrorCode | (string & {})

type Details = {
  /** The HTTP status, where there was an answer. */
  status?: number | undefined
  /** Identifies the request to the operators of the service. */
  requestId?: string | undefined
  /** Each refused field: its dotted path and its fault. */
  errors?: readonly { path: string; message: string }[] | undefined
  /** How long the service asks to wait. */
  retryAfterMs?: number | undefined
  /** The service's answer, with what only some errors have. */
  problem?: Problem | undefined
  /** Where a flow of several steps failed. */
  step?: TransactionStep | undefined
  /** The flow's transaction, once it was built: `waitForTransaction` tells what became of it. */
  transactionId?: string | undefined
  cause?: unknown
}

/** Whatever a client's methods reject with, an aborted signal's reason aside. Switch on `code`. */
export class AgentCredError extends Error {
  override readonly name = 'AgentCredError'
  readonly code: AnyErrorCode
  readonly status: number | undefined
  readonly requestId: string | undefined
  readonly errors: readonly { path: string; message: string }[]
  readonly retryAfterMs: number | undefined
  readonly problem: Problem | undefined
  readonly step: TransactionStep | undefined
  readonly transactionId: string | undefined

  constructor(code: AnyErrorCode, message: string, details: Details = {}) {
    super(message, { cause: details.cause })
    this.code = code
    this.status = details.status
    this.requestId = details.requestId
    this.errors = details.errors ?? []
    this.retryAfterMs = details.retryAfterMs
    this.problem = details.problem
    this.step = details.step
    this.transactionId = details.transactionId
  }
}
