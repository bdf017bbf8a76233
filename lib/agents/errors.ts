import { ApiError } from '../api-error.ts'

/** The error for an agent that does not exist, or that the caller may not see. */
export const agentNotFound = () => new ApiError('agent_not_found', 'No agent has this id.')
