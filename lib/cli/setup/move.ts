import { DEPLOYMENT, type Deployment, type DeploymentFolder } from '../deploy/deployment.ts'
import { all, type CloudflareClient, DNS, SCRIPTS, ZONE } from './cloudflare.ts'
import { CommandError, commandErrorOf } from './errors.ts'
import type { Options } from './options.ts'

/** The fields of a deployment about its former hosts. */
type FormerHosts = Pick<Deployment, 'formerHosts' | 'provenHost'>

/** Adds the host that a deployment leaves to the former hosts, and removes the host that it returns to. */
export function hostsAfterMove(before: Partial<Deployment>, host: string): FormerHosts {
  const { host: left, zone, topology = 'gateway', provenHost } = before
  const known = (before.formerHosts ?? []).filter((one) => one.host !== left)
  const last = left === undefined ? [] : [{ host: left, topology, ...(zone !== undefined && { zone }) }]
  const formerHosts = [...known, ...last].filter((one) => one.host !== host)
  return {
    ...(formerHosts.length > 0 && { formerHosts }),
    ...(provenHost !== undefined && { provenHost }),
  }
}

/** Returns lines that say what happens at the address that a deployment leaves. */
export function movesOf({ before }: Options, { host, publisher }: Deployment): string[] {
  if (before.host === undefined || before.host === host) return []
  return [
    `move  the service from ${before.host} to ${host}. API calls to ${before.host} still work. Once ${host} answers, pages redirect to it, and users log in there again.`,
    `      Agent cards and facilitator URLs (x402) are published at ${host} from then on. The ones at ${before.host} stay valid for as long as you own that host.`,
    `      Identifiers of agents (urn:air:${publisher}:agent:…) keep ${publisher} forever.`,
  ]
}

/**
 * Checks that each former host still belongs to the deployment. Otherwise wrangler would take it back
 * unasked.
 * @throws CommandError that names the host and what to do
 */
export async function requireFormerHosts(
  client: CloudflareClient,
  { accountId: account_id, name, formerHosts = [] }: Deployment,
): Promise<void> {
  for (const { host, zone, topology } of formerHosts) {
    if (zone === undefined) continue
    const drop = `remove ${host} from formerHosts in deployment.json.`
    const zones = await all(client.zones.list({ name: zone })).catch((error) => {
      throw commandErrorOf(error, `looking for the zone of ${host}`, ZONE)
    })
    const found = zones.find((one) => one.name === zone && one.account.id === account_id)
    if (found === undefined)
      throw new CommandError(
        `The zone of ${host}, a former host of the service, is not in your account: ${drop}`,
      )
    if (topology === 'routes') continue
    const domains = await all(client.workers.domains.list({ account_id, hostname: host })).catch((error) => {
      throw commandErrorOf(error, `looking for the Worker at ${host}`, SCRIPTS)
    })
    const [domain] = domains
    if (domain?.service === `${name}-root`) continue
    if (domain !== undefined)
      throw new CommandError(
        `The Worker ${domain.service} answers at ${host}, a former host of the service: ${drop}`,
      )
    const records = await all(client.dns.records.list({ zone_id: found.id, name: { exact: host } })).catch(
      (error) => {
        throw commandErrorOf(error, `reading the DNS records of ${host}`, DNS)
      },
    )
    if (records.some((record) => record.name === host))
      throw new CommandError(`${host}, a former host of the service, now has another DNS record: ${drop}`)
  }
}

/**
 * Redirects pages at former hosts to the present one, once the present one has answered.
 * @param deploy deploys the changed Workers
 */
export async function redirectPages(
  folder: DeploymentFolder,
  say: (line: string) => void,
  deploy: () => Promise<unknown>,
): Promise<void> {
  const deployment = folder.deployment()
  const { host, provenHost, formerHosts = [] } = deployment
  if (formerHosts.length === 0 || provenHost === host) return
  folder.writeJson(DEPLOYMENT, { ...deployment, provenHost: host })
  await deploy()
  say(`pages at ${formerHosts.map((one) => one.host).join(', ')} redirect to ${host}`)
}
