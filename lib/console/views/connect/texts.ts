import type { AuthorizationRequest, ConnectionDestination } from '../../../client/generated/types.ts'

/** Names where the answer goes: `claude.ai`, `the app cursor`. A client's own name is no proof. */
export function destinationName({ kind, host = '' }: ConnectionDestination): string {
  if (kind === 'web') return host
  return kind === 'app' ? `the app ${host}` : 'a program on this computer'
}

/** Writes the page's headline, which says where the answer goes. */
export const headlineOf = (destination: ConnectionDestination): string =>
  `${begun(destination)} wants to use AgentCred for you`

/** Writes the headline of a request that can't be granted. */
export const problemHeadlineOf = (destination: ConnectionDestination): string =>
  `${begun(destination)} made a request that can’t be granted`

/** Writes the label of a link that leaves the page for the program. */
export const wayBackOf = (destination: ConnectionDestination): string =>
  destination.kind === 'computer'
    ? 'go back to the program on this computer'
    : `go back to ${destinationName(destination)}`

/**
 * Returns the host that publishes the client's description, unless the answer goes there: any program can
 * present it.
 */
export const otherHostOf = ({ clientHost, destination }: AuthorizationRequest): string | undefined =>
  clientHost === destination.host ? undefined : clientHost

/** Begins a sentence. A host stays as it is. */
function begun(destination: ConnectionDestination): string {
  const name = destinationName(destination)
  return destination.kind === 'web' ? name : `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}
