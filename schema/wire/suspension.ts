import { whenFits } from '../docs.ts'

type Change = { status?: string | undefined; reason?: string | undefined }

/** Returns whether a change names a reason if and only if it suspends. */
export const isReasonGiven = ({ status, reason }: Change): boolean =>
  (status === 'suspended') === (reason !== undefined)

export const REASON_ERROR = 'is required when an agent is suspended, and only then'

/** The same rule in JSON Schema, for a body with a status. */
export const REASON_GIVEN = whenFits(
  { properties: { status: { type: 'string', const: 'suspended' } } },
  { required: ['reason'] },
  { not: { required: ['reason'] } },
)
