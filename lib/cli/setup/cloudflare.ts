import Cloudflare from 'cloudflare'
import { Fault, faultOf } from './faults.ts'
import type { Maker } from './journal.ts'
import type { Options } from './options.ts'

type Account = ReturnType<typeof openCloudflare>

/** The official client, by the address that wrangler asks, too. */
export function openCloudflare(env: NodeJS.ProcessEnv, { timeoutMs }: Pick<Options, 'timeoutMs'>) {
  const { CLOUDFLARE_API_TOKEN: apiToken, CLOUDFLARE_API_BASE_URL: baseURL } = env
  if (!apiToken)
    throw new Fault(
      `Set CLOUDFLARE_API_TOKEN: make a token at https://dash.cloudflare.com/profile/api-tokens with the permissions ${PERMISSIONS.join(', ')}.`,
    )
  return new Cloudflare({
    apiToken,
    ...(baseURL && { baseURL }),
    timeout: timeoutMs,
    maxRetries: 2,
    logLevel: 'off',
  })
}

/** What a token must allow; the last three for a domain. */
const PERMISSIONS = [
  'Billing: Read',
  'Workers Scripts: Edit',
  'Workers KV Storage: Edit',
  'Queues: Edit',
  'Zone: Read',
  'DNS: Read',
  'Workers Routes: Edit',
]
const [BILLING = '', SCRIPTS = '', KV = '', QUEUES = '', ZONE = '', DNS = '', ROUTES = ''] = PERMISSIONS

/** Reads all pages. */
async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const one of pages) list.push(one)
  return list
}

/** The account that the token is for. */
export async function findAccount(client: Account, env: NodeJS.ProcessEnv): Promise<string> {
  const accounts = await all(client.accounts.list()).catch((error) => {
    throw faultOf(error, 'looking for your account')
  })
  const wanted = env.CLOUDFLARE_ACCOUNT_ID
  const [first, second] = wanted ? accounts.filter(({ id }) => id === wanted) : accounts
  if (first === undefined)
    throw new Fault(
      wanted
        ? 'The token sees no account of the id in CLOUDFLARE_ACCOUNT_ID: correct one of the two.'
        : 'The token sees no account: give it “All accounts” or yours under Account Resources.',
    )
  if (second !== undefined)
    throw new Fault(
      `The token sees ${accounts.length} accounts: set CLOUDFLARE_ACCOUNT_ID to the one to use.`,
    )
  return first.id
}

/** Checks, before anything is made, the plan and every permission that can be tried by reading. */
export async function checkAccount(
  client: Account,
  account_id: string,
  { domain }: Options,
): Promise<Set<string>> {
  const missing: string[] = []
  const tried = async <T>(permission: string, read: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof Cloudflare.APIError && error.status === 403))
        throw faultOf(error, `checking the permission ${permission}`)
      missing.push(permission)
      return undefined
    }
  }
  const subscriptions = await tried(BILLING, () => all(client.accounts.subscriptions.get({ account_id })))
  const scripts = await tried(SCRIPTS, () => all(client.workers.scripts.list({ account_id })))
  await tried(KV, () => all(client.kv.namespaces.list({ account_id })))
  await tried(QUEUES, () => all(client.queues.list({ account_id })))
  if (domain !== undefined) await tried(ZONE, () => all(client.zones.list({ name: domain })))
  if (missing.length > 0)
    throw new Fault(
      `The token of CLOUDFLARE_API_TOKEN lacks ${missing.join(', ')}: add ${missing.length > 1 ? 'these permissions' : 'this permission'} to the token. Nothing was made.`,
    )
  if (!subscriptions?.some(({ rate_plan }) => isPaid(rate_plan)))
    throw new Fault(
      'The Cloudflare account is on the free plan of Workers: choose Workers Paid ($5 a month) under Workers & Pages, Plans. Nothing was made.',
    )
  return new Set(scripts?.flatMap(({ id }) => id ?? []))
}

/** Subscriptions of Workers have ids such as WORKERS_PAID and PARTNERS_WORKERS_ENT. */
const isPaid = (plan: { id?: string; public_name?: string } | undefined): boolean =>
  /workers/i.test(`${plan?.id} ${plan?.public_name}`) && !/free/i.test(`${plan?.id}`)

/** Where the service will answer. */
type Address = { host: string; zone?: string }

/** Finds the zone of the domain, or the account's workers.dev, and that nobody else answers there. */
export async function findAddress(
  client: Account,
  account_id: string,
  maker: Maker,
  { domain, name, topology }: Options,
): Promise<Address> {
  const root = `${name}-root`
  if (domain === undefined) {
    if (topology === 'routes')
      throw new Fault(
        'The topology “routes” needs a domain of a zone: add --domain <host>, or leave --topology away.',
      )
    return { host: `${root}.${await subdomainOf(client, account_id, maker, name)}.workers.dev` }
  }
  const zone = await zoneOf(client, account_id, domain)
  await client.workers.routes.list({ zone_id: zone.id }).catch((error) => {
    throw faultOf(error, 'reading the zone’s routes', ROUTES)
  })
  const records = await all(client.dns.records.list({ zone_id: zone.id, name: { exact: domain } })).catch(
    (error) => {
      throw faultOf(error, 'reading the zone’s DNS records', DNS)
    },
  )
  const domains = await all(client.workers.domains.list({ account_id, hostname: domain })).catch((error) => {
    throw faultOf(error, 'looking who answers at the domain', SCRIPTS)
  })
  const isOurs = domains.some(({ service }) => service === root)
  const other = domains.find(({ service }) => service !== root)
  if (other)
    throw new Fault(
      `The Worker ${other.service} answers at ${domain}: take the domain off it, or choose another with --domain.`,
    )
  const names = records.map((record) => record.name).filter((record) => record === domain)
  if (topology === 'gateway' && names.length > 0 && !isOurs)
    throw new Fault(
      `${domain} has a DNS record already, which a custom domain would replace: delete it, or choose another with --domain.`,
    )
  if (topology === 'routes' && names.length === 0)
    throw new Fault(
      `${domain} has no DNS record: routes need a proxied one (AAAA 100:: will do); make it, or leave --topology away.`,
    )
  return { host: domain, zone: zone.name }
}

async function zoneOf(client: Account, account_id: string, domain: string) {
  const labels = domain.split('.')
  for (let i = 0; i < labels.length - 1; i++) {
    const name = labels.slice(i).join('.')
    const zones = await all(client.zones.list({ name })).catch((error) => {
      throw faultOf(error, `looking for the zone of ${domain}`, ZONE)
    })
    const zone = zones.find((one) => one.name === name)
    if (zone === undefined) continue
    if (zone.account.id !== account_id)
      throw new Fault(
        `The zone ${name} is another account’s: choose a domain of yours with --domain, or leave it away for workers.dev.`,
      )
    if (zone.status !== 'active')
      throw new Fault(
        `The zone ${name} is not active yet: set the nameservers that Cloudflare names at your registrar, and wait until it is.`,
      )
    return zone
  }
  throw new Fault(
    `No zone of ${domain} is in your account: add the domain to Cloudflare, or leave --domain away for workers.dev.`,
  )
}

/** The account's name below workers.dev; a new account has none. */
async function subdomainOf(client: Account, account_id: string, maker: Maker, name: string): Promise<string> {
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
    throw faultOf(error, 'looking for your name below workers.dev', SCRIPTS)
  })
  if (found !== undefined) return found
  const wanted = `${name}-${account_id.slice(0, 8)}`
  const made = await maker.take({
    what: `the name ${wanted}.workers.dev`,
    find,
    make: async () => (await client.workers.subdomains.update({ account_id, subdomain: wanted })).subdomain,
    permission: SCRIPTS,
    otherwise: 'run npm run setup again.',
  })
  return made ?? wanted
}

/** Makes the KV namespace of a binding. @returns its id; in a plan it may have none yet */
export const makeNamespace = (client: Account, account_id: string, maker: Maker, title: string) =>
  maker.take({
    what: `the KV namespace ${title}`,
    find: async () =>
      (await all(client.kv.namespaces.list({ account_id }))).find((one) => one.title === title)?.id,
    make: async () => (await client.kv.namespaces.create({ account_id, title })).id,
    permission: KV,
    otherwise: 'choose another name with --name, or delete it.',
  })

/** Makes a queue: wrangler deploys no Worker without its queues. */
export const makeQueue = (client: Account, account_id: string, maker: Maker, queue_name: string) =>
  maker.take({
    what: `the queue ${queue_name}`,
    find: async () =>
      (await all(client.queues.list({ account_id }))).find((one) => one.queue_name === queue_name)?.queue_id,
    make: async () => {
      const { queue_id } = await client.queues.create({ account_id, queue_name })
      if (queue_id === undefined) throw new Error('Cloudflare gave it no id')
      return queue_id
    },
    permission: QUEUES,
    otherwise: 'choose another name with --name, or delete it.',
  })
