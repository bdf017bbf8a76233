import { Refusal } from '../refusal.ts'

/** The error for an agent that does not exist, or that the caller may not see. */
export const agentNotFound = () => new Refusal('agent_not_found', 'No agent has this id.')
