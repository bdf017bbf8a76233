/** The permission that every connected program has, in words. */
export const READING = 'Read your hires, charges and events'

/** The permissions that a wallet can give to a program, in words. */
export const PERMISSIONS = {
  'agents:hire': 'Hire agents and end hires',
  'agents:charge': 'Charge for the work of your agents',
  'jobs:use': 'Handle jobs: order, accept, deliver and end them, and read their texts',
  'jobs:decide': 'Decide jobs that it ordered or accepted: approve, dispute, concede and split them',
  'vault:transact': 'Prepare staking transactions, which you sign in your wallet',
} as const

export type GrantablePermission = keyof typeof PERMISSIONS

/** Returns a permission in words; one that is newer than this page as it is. */
export const permissionLabel = (permission: string): string =>
  Object.hasOwn(PERMISSIONS, permission) ? PERMISSIONS[permission as GrantablePermission] : permission

/**
 * Names the place that a connection's code went to.
 * @param host a site's host, or an app's scheme with its colon; undefined for a program on a computer
 */
export function placeName(host: string | undefined): string {
  if (host === undefined) return 'a program on a computer'
  return host.endsWith(':') ? `the app ${host.slice(0, -1)}` : host
}
