import { whenFits } from '../words.ts'

type Change = { status?: string | undefined; reason?: string | undefined }

/** Whether a change names a reason if it suspends, and only then. */
export const isReasonGiven = ({ status, reason }: Change): boolean =>
  (status === 'suspended') === (reason !== undefined)

export const REASON_FAULT = 'is required when an agent is suspended, and only then'

/** The same in JSON Schema, of a body that has a status. */
export const REASON_GIVEN =
  WORDS &&
  whenFits(
    { properties: { status: { type: 'string', const: 'suspended' } } },
    { required: ['reason'] },
    { not: { required: ['reason'] } },
  )
