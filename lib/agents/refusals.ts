import { Refusal } from '../refusal.ts'

/** Makes the refusal for an agent that is not there, or not the caller's to know. */
export const agentNotFound = () => new Refusal('agent_not_found', 'There is no such agent.')
