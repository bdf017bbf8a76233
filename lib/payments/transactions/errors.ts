import { ApiError } from '../../api-error.ts'

/** Makes the error for a transaction that would pay or fund a suspended agent. */
export const agentSuspended = () =>
  new ApiError('agent_suspended', 'An operator has suspended an agent that it pays or funds.')
