import { MIN_EXPIRY_AGE_MS } from '../../transactions/relay/limits.ts'
import type { IntentRow } from '../transactions/intent-queries.ts'

/* What a transaction's record says of it; pure. */

type Signing = Pick<IntentRow, 'cosignedAt'>

/** Whether the relay has sent no message of it. */
export const isAwaitingSignature = ({ cosignedAt }: Signing): boolean => cosignedAt === null

/**
 * Whether the authority signs it, too: then it is sent by the service alone, and what became of it is known
 * where its message was found, or proven not to be there.
 */
export const isCosigned = ({ kind }: Pick<IntentRow, 'kind'>): boolean =>
  kind === 'collect' || kind === 'buy_credit'

/** Whether a signed intent may have expired by `now`, so that the block height is worth asking for. */
export const mayHaveExpired = ({ cosignedAt }: Signing, now: Date): boolean =>
  cosignedAt !== null && now.getTime() - cosignedAt.getTime() >= MIN_EXPIRY_AGE_MS
