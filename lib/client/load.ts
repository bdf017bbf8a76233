import { AgentCredError } from './error.ts'

/**
 * Waits for a part of the client that only some calls need.
 * @throws AgentCredError `unreachable` if it can't be loaded
 */
export const load = <Part>(part: Promise<Part>): Promise<Part> =>
  part.catch((cause) => {
    throw new AgentCredError('unreachable', 'A part of the client could not be loaded', { cause })
  })
