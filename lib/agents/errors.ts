import { ApiError } from '../api-error.ts'

/** The error for an agent that does not exist, or that the caller may not see. */
export const agentNotFound = () => new ApiError('agent_not_found', 'No agent has this id.')

/** The error for a hire that does not exist, or is between other wallets. */
export const hireNotFound = () => new ApiError('hire_not_found', 'You have no hire with this id.')
