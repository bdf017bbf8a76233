import { deadlineOf, deadlinePassed, TRANSACTION_LIFETIME_MS } from '../../transactions/relay/limits.ts'
import type { IntentRow } from '../queries.ts'

/* Deadlines and states that depend on the signing order. Pure. */

type Signed = Pick<IntentRow, 'signing' | 'cosignedAt' | 'createdAt'>

/** Checks whether the authority has not signed the intent. Only the relay can complete it then. */
export const isAwaitingSignature = ({
  signing,
  cosignedAt,
}: Pick<Signed, 'signing' | 'cosignedAt'>): boolean => signing === 'wallet_first' && cosignedAt === null

/** Checks whether the intent was not signed by its deadline, so that it can't land any more. */
export const hasLapsed = (intent: Signed, now: Date): boolean =>
  isAwaitingSignature(intent) && intent.createdAt <= deadlinePassed(now)

/** Returns when the authority signed an intent; for an unsigned intent, when it was built. */
export const signedAt = ({ cosignedAt, createdAt }: Signed): Date => cosignedAt ?? createdAt

/**
 * Returns roughly when an intent expires. An unsigned intent can be signed and relayed until then, a signed
 * one can land.
 */
export const expiresAt = (intent: Signed): Date =>
  isAwaitingSignature(intent)
    ? deadlineOf(intent.createdAt)
    : new Date(signedAt(intent).getTime() + TRANSACTION_LIFETIME_MS)

/**
 * Checks whether an intent has landed and need not be sent again. The network would later answer that it has
 * expired. An unstack counts as landed when any unstack of its position has landed, so this one may still
 * have to be sent.
 */
export const isFinal = ({ status, kind }: Pick<IntentRow, 'status' | 'kind'>): boolean =>
  status === 'landed' && kind !== 'unstack'
