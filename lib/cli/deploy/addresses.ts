import type { Deployment } from './deployment.ts'

/*
 * Computes where Workers answer: at the deployment's host, and at its former hosts. Cards, facilitator URLs
 * and settings of clients still name a former host.
 */

export const ROOT = 'root'

/** The Worker of the console's pages. Cloudflare serves its static files before its code could redirect. */
const CONSOLE = 'console'

export type Route = { pattern: string; zone_name?: string; custom_domain?: boolean }

type Host = NonNullable<Deployment['formerHosts']>[number]

/** Returns every host of the deployment, the present one first. */
const hostsOf = ({ host, zone, topology, formerHosts = [] }: Deployment): Host[] => [
  { host, zone, topology },
  ...formerHosts,
]

/** Returns the hosts of the service, comma separated. */
export const ownHosts = (deployment: Deployment): string =>
  hostsOf(deployment)
    .map(({ host }) => host)
    .join(',')

/** Returns whether root hands requests to the other Workers at one host at least. */
export const hasGateway = (deployment: Deployment): boolean =>
  hostsOf(deployment).some(({ topology }) => topology === 'gateway')

/** Returns the former hosts whose pages redirect, comma separated; empty until the present host answered. */
export const redirectedHosts = ({ host, provenHost, formerHosts = [] }: Deployment): string =>
  provenHost === host ? formerHosts.map((former) => former.host).join(',') : ''

/**
 * Returns where a Worker answers. With a gateway only root has an address; the others are reached by
 * bindings. With routes each Worker has its own. At a former host with routes root takes the console's, and
 * redirects.
 */
export function addressOf(
  group: string,
  patterns: Route[] = [],
  deployment: Deployment,
): { workers_dev?: true; routes?: Route[] } {
  const hosts = hostsOf(deployment)
  const redirected = redirectedHosts(deployment).split(',')
  const routes = hosts.flatMap(({ host, zone, topology }): Route[] => {
    if (topology === 'gateway')
      return group === ROOT && zone !== undefined ? [{ pattern: host, custom_domain: true }] : []
    if (patterns.length === 0 || (group === CONSOLE && redirected.includes(host))) return []
    if (zone === undefined)
      throw new Error('the topology "routes" needs a zone: npm run setup -- --domain <host>')
    return patterns.map(({ pattern }) => ({ pattern: pattern.replace(/^[^/]*/, host), zone_name: zone }))
  })
  const isOnWorkersDev =
    group === ROOT && hosts.some(({ zone, topology }) => topology === 'gateway' && zone === undefined)
  return { ...(isOnWorkersDev && { workers_dev: true }), ...(routes.length > 0 && { routes }) }
}
