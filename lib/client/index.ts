export { formatCred, parseCred } from './amounts.ts'
export { type ArrivedWebhook, WebhookRefused } from './arrived.ts'
export { base58 } from './base58.ts'
export { type Client, type ClientOptions, createClient } from './client.ts'
export { AgentCredError, type AnyErrorCode, type ClientErrorCode } from './error.ts'
export type { Progress, TransactOptions } from './flow.ts'
export type * from './generated/types.ts'
export type { JobDecision, JobWaiting } from './jobs.ts'
export { parseJson, writeJson } from './json.ts'
export type { EntryOf, EventOptions, ListName } from './lists.ts'
export type { AnswerOf, Call, CallOptions, OperationName, RequestOf } from './operations.ts'
export { fromSecretKey, type SecretKey } from './secret-key.ts'
export type { LoginMethod, TransactionStep } from './steps.ts'
export type { JobOrder, SeenJob, Summary } from './verify/order.ts'
export type { SignedMessage, Wallet } from './wallet.ts'
export { fromWalletStandard, type StandardAccount, type StandardWallet } from './wallet.ts'
export {
  answerChallenge,
  type VerifiedWebhook,
  verifyWebhook,
  type WebhookOptions,
  type WebhookTrust,
} from './webhook.ts'
