import Cloudflare from 'cloudflare'
import { all, type CloudflareClient, DNS, ROUTES, SCRIPTS, ZONE } from './cloudflare.ts'
import { CommandError, commandErrorOf } from './errors.ts'
import type { Maker } from './journal.ts'
import type { Options } from './options.ts'

/** The address where the service will answer. */
type Address = {
  host: string
  zone?: string
  /** Creates the account's name below workers.dev, if it has none yet. */
  claim?: (maker: Maker) => Promise<unknown>
}

/**
 * Finds the zone of the domain, or the account's workers.dev.
 * @throws CommandError if another service answers there
 */
export async function findAddress(
  client: CloudflareClient,
  account_id: string,
  { domain, name, topology }: Options,
): Promise<Address> {
  const root = `${name}-root`
  if (domain === undefined) {
    if (topology === 'routes')
      throw new CommandError(
        'The topology “routes” needs a domain in a zone: add --domain <host>, or --topology gateway.',
      )
    const { subdomain, ...claim } = await subdomainOf(client, account_id, name)
    return { host: `${root}.${subdomain}.workers.dev`, ...claim }
  }
  const zone = await zoneOf(client, account_id, domain)
  await client.workers.routes.list({ zone_id: zone.id }).catch((error) => {
    throw commandErrorOf(error, 'reading the zone’s routes', ROUTES)
  })
  const records = await all(client.dns.records.list({ zone_id: zone.id, name: { exact: domain } })).catch(
    (error) => {
      throw commandErrorOf(error, 'reading the zone’s DNS records', DNS)
    },
  )
  const domains = await all(client.workers.domains.list({ account_id, hostname: domain })).catch((error) => {
    throw commandErrorOf(error, 'looking for the Worker at the domain', SCRIPTS)
  })
  const isOwn = domains.some(({ service }) => service === root)
  const other = domains.find(({ service }) => service !== root)
  if (other)
    throw new CommandError(
      `The Worker ${other.service} answers at ${domain}: remove the domain from that Worker, or choose another with --domain.`,
    )
  const names = records.map((record) => record.name).filter((record) => record === domain)
  if (topology === 'gateway' && names.length > 0 && !isOwn)
    throw new CommandError(
      `${domain} already has a DNS record, which a custom domain would replace: delete it, or choose another with --domain.`,
    )
  if (topology === 'routes' && names.length === 0)
    throw new CommandError(
      `${domain} has no DNS record: make a proxied one, which routes need (such as AAAA 100::), or add --topology gateway.`,
    )
  return { host: domain, zone: zone.name }
}

async function zoneOf(client: CloudflareClient, account_id: string, domain: string) {
  const labels = domain.split('.')
  for (let i = 0; i < labels.length - 1; i++) {
    const name = labels.slice(i).join('.')
    const zones = await all(client.zones.list({ name })).catch((error) => {
      throw commandErrorOf(error, `looking for the zone of ${domain}`, ZONE)
    })
    const zone = zones.find((one) => one.name === name)
    if (zone === undefined) continue
    if (zone.account.id !== account_id)
      throw new CommandError(
        `The zone ${name} belongs to another account: choose a domain of yours with --domain, or workers.dev with --domain=.`,
      )
    if (zone.status !== 'active')
      throw new CommandError(
        `The zone ${name} is not active yet: at your registrar set the nameservers that Cloudflare names, and wait until it is active.`,
      )
    return zone
  }
  throw new CommandError(
    `No zone of ${domain} is in your account: add the domain to Cloudflare, or use workers.dev with --domain=.`,
  )
}

/** Finds the account's name below workers.dev; a new account has none. */
async function subdomainOf(client: CloudflareClient, account_id: string, name: string) {
  let found: string | undefined
  const find = async () => {
    try {
      found = (await client.workers.subdomains.get({ account_id })).subdomain
      return found
    } catch (error) {
      if (error instanceof Cloudflare.APIError && error.status === 404) return undefined
      throw error
    }
  }
  await find().catch((error) => {
    throw commandErrorOf(error, 'looking for your workers.dev subdomain', SCRIPTS)
  })
  if (found !== undefined) return { subdomain: found }
  const wanted = `${name}-${account_id.slice(0, 8)}`
  const claim = (maker: Maker) =>
    maker.take({
      what: `the name ${wanted}.workers.dev`,
      find,
      make: async () => (await client.workers.subdomains.update({ account_id, subdomain: wanted })).subdomain,
      permission: SCRIPTS,
      otherwise: 'run npm run setup again.',
    })
  return { subdomain: wanted, claim }
}
