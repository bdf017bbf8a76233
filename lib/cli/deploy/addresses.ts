import type { Deployment } from './deployment.ts'

/*
 * Where Workers answer: at the deployment's host, and at the hosts that it had before. What others have kept
 * names those: cards, facilitator URLs, settings of clients.
 */

export const ROOT = 'root'

/** The Worker of pages, whose static files Cloudflare serves before its code could redirect anybody. */
const CONSOLE = 'console'

export type Route = { pattern: string; zone_name?: string; custom_domain?: boolean }

type Host = NonNullable<Deployment['formerHosts']>[number]

/** The present host first. */
const hostsOf = ({ host, zone, topology, formerHosts = [] }: Deployment): Host[] => [
  { host, zone, topology },
  ...formerHosts,
]

/** The hosts of the service, comma separated. */
export const ownHosts = (deployment: Deployment): string =>
  hostsOf(deployment)
    .map(({ host }) => host)
    .join(',')

/** Whether root hands requests to the other Workers, at one of the hosts at least. */
export const hasGateway = (deployment: Deployment): boolean =>
  hostsOf(deployment).some(({ topology }) => topology === 'gateway')

/** The hosts whose pages lead to the present one, comma separated; none before that was seen to answer. */
export const redirectedHosts = ({ host, provenHost, formerHosts = [] }: Deployment): string =>
  provenHost === host ? formerHosts.map((former) => former.host).join(',') : ''

/**
 * Says where a Worker answers: the gateway at whole hosts, the others by binding alone; or each by its
 * routes. At a former host of routes the console gives way to root, which redirects.
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
