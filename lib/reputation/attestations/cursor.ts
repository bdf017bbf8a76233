import * as v from 'valibot'
import { isInstant } from '../../../schema/times.ts'
import { type VerificationPriority, verificationPriorities } from '../../../schema/values.ts'
import { openCursor, sealCursor } from '../../cursor.ts'

/** The last attestation of a page in the order of the oracles' queue (priority, requestedAt, id). */
export type QueueCursor = { priority: VerificationPriority; requestedAt: Date; id: string }

const Parts = v.strictTuple([
  v.picklist(verificationPriorities),
  v.pipe(
    v.string(),
    v.check(isInstant),
    v.transform((text) => new Date(text)),
  ),
  v.pipe(v.string(), v.uuid()),
])

export const encodeCursor = ({ priority, requestedAt, id }: QueueCursor): string =>
  sealCursor([priority, requestedAt.toISOString(), id])

/** @throws Refusal invalid_request for a cursor that this list did not issue */
export function decodeCursor(cursor: string): QueueCursor {
  const [priority, requestedAt, id] = openCursor(Parts, cursor)
  return { priority, requestedAt, id }
}
