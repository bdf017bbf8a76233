import { jobPaymentKinds, type PaymentKind } from '../../../schema/values.ts'
import { MIN_EXPIRY_AGE_MS } from '../../transactions/relay/limits.ts'
import type { IntentRow } from '../transactions/intent-queries.ts'

/* Pure checks of a recorded transaction. */

type Signing = Pick<IntentRow, 'cosignedAt'>

/** Checks whether the relay has sent no message of the intent yet. */
export const isAwaitingSignature = ({ cosignedAt }: Signing): boolean => cosignedAt === null

/** The kinds of intents that the authority signs, too. */
export const cosignedKinds = ['collect', 'buy_credit', ...jobPaymentKinds] as const

/**
 * Checks whether the authority signs the intent, too. Then only the service sends it, and its outcome is
 * known when its message was found or proven absent.
 */
export const isCosigned = ({ kind }: Pick<IntentRow, 'kind'>): boolean =>
  cosignedKinds.some((one) => one === kind)

/** Checks whether an intent changes jobs. Its outcome is recorded apart from others. */
export const isOfJobs = ({ kind }: { kind: PaymentKind }): boolean =>
  kind === 'close_escrows' || jobPaymentKinds.some((one) => one === kind)

/** Checks whether a signed intent may have expired by `now`, so that the block height has to be read. */
export const mayHaveExpired = ({ cosignedAt }: Signing, now: Date): boolean =>
  cosignedAt !== null && now.getTime() - cosignedAt.getTime() >= MIN_EXPIRY_AGE_MS
