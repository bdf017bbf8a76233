import { AgentCredError } from './error.ts'

/**
 * Loads the check of transactions and jobs, which only flows need.
 * @throws AgentCredError `unreachable`
 */
export const loadCheck = () =>
  import('./verify/check.ts').catch((cause) => {
    throw new AgentCredError('unreachable', 'The check could not be loaded', { cause })
  })
