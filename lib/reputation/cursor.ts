import * as v from 'valibot'
import { type VerificationPriority, verificationPriorities } from '../../schema/values.ts'
import { openCursor, sealCursor } from '../cursor.ts'

/** The place after an attestation in the oracles' queue (priority, requestedAt, id). */
export type QueuePlace = { priority: VerificationPriority; requestedAt: string; id: string }

const Parts = v.strictTuple([
  v.picklist(verificationPriorities),
  v.pipe(v.string(), v.isoTimestamp()),
  v.pipe(v.string(), v.uuid()),
])

export const encodeCursor = ({ priority, requestedAt, id }: QueuePlace): string =>
  sealCursor([priority, requestedAt, id])

/** @throws Refusal invalid_request when it is none of ours */
export function decodeCursor(cursor: string): QueuePlace {
  const [priority, requestedAt, id] = openCursor(Parts, cursor)
  return { priority, requestedAt, id }
}
