type Change = { status?: string | undefined; reason?: string | undefined }

/** Whether a change names a reason if it suspends, and only then. */
export const isReasonGiven = ({ status, reason }: Change): boolean =>
  (status === 'suspended') === (reason !== undefined)

export const REASON_FAULT = 'is required when an agent is suspended, and only then'
