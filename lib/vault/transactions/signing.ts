import { deadlineOf, deadlinePassed, TRANSACTION_LIFETIME_MS } from '../../transactions/relay/limits.ts'
import type { IntentRow } from '../queries.ts'

/* What follows from who signs a transaction first; pure. */

type Signed = Pick<IntentRow, 'signing' | 'cosignedAt' | 'createdAt'>

/** Whether the authority has not signed it: nothing but the relay can make anything of it. */
export const isAwaitingSignature = ({
  signing,
  cosignedAt,
}: Pick<Signed, 'signing' | 'cosignedAt'>): boolean => signing === 'wallet_first' && cosignedAt === null

/** Whether it was not signed by its deadline, so that nothing can come of it. */
export const hasLapsed = (intent: Signed, now: Date): boolean =>
  isAwaitingSignature(intent) && intent.createdAt <= deadlinePassed(now)

/** When the authority signed an intent; an unsigned one is as new as its blockhash. */
export const signedAt = ({ cosignedAt, createdAt }: Signed): Date => cosignedAt ?? createdAt

/**
 * Until when, roughly, it can be used: to be signed and relayed, or, once the authority has signed, to land.
 */
export const expiresAt = (intent: Signed): Date =>
  isAwaitingSignature(intent)
    ? deadlineOf(intent.createdAt)
    : new Date(signedAt(intent).getTime() + TRANSACTION_LIFETIME_MS)

/**
 * Whether nothing of it has to be sent any more: long after it has landed, the network would only answer
 * that it has expired. An unstack counts as landed when any unstack of its position has, so this one may
 * still have to be sent.
 */
export const isFinal = ({ status, kind }: Pick<IntentRow, 'status' | 'kind'>): boolean =>
  status === 'landed' && kind !== 'unstack'
