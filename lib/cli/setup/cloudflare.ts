import Cloudflare from 'cloudflare'
import { CommandError, commandErrorOf, isOfToken } from './errors.ts'
import type { Maker } from './journal.ts'
import type { Options } from './options.ts'

export type CloudflareClient = ReturnType<typeof openCloudflare>

/** Opens the official client, at the address that wrangler uses, too. */
export function openCloudflare(env: NodeJS.ProcessEnv, { timeoutMs }: Pick<Options, 'timeoutMs'>) {
  const { CLOUDFLARE_API_TOKEN: apiToken, CLOUDFLARE_API_BASE_URL: baseURL } = env
  if (!apiToken)
    throw new CommandError(
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

export const SCRIPTS = 'Workers Scripts: Edit'
export const ZONE = 'Zone: Read'
export const DNS = 'DNS: Read'
export const ROUTES = 'Workers Routes: Edit'
const SETTINGS = 'Account Settings: Read'
const BILLING = 'Billing: Read'
export const KV = 'Workers KV Storage: Edit'
export const QUEUES = 'Queues: Edit'

/** The permissions that a token needs; the last three are for a domain. */
const PERMISSIONS = [SETTINGS, BILLING, SCRIPTS, KV, QUEUES, ZONE, DNS, ROUTES]

/** Reads all pages. */
export async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const one of pages) list.push(one)
  return list
}

/** Finds the account that the token is for. */
export async function findAccount(client: CloudflareClient, env: NodeJS.ProcessEnv): Promise<string> {
  const accounts = await all(client.accounts.list()).catch((error) => {
    throw commandErrorOf(error, 'looking for your account', SETTINGS)
  })
  const wanted = env.CLOUDFLARE_ACCOUNT_ID
  const [first, second] = wanted ? accounts.filter(({ id }) => id === wanted) : accounts
  if (first === undefined)
    throw new CommandError(
      wanted
        ? 'The token has no access to the account in CLOUDFLARE_ACCOUNT_ID: correct one of the two.'
        : 'The token has no access to an account: give it “All accounts” or yours under Account Resources.',
    )
  if (second !== undefined)
    throw new CommandError(
      `The token has access to ${accounts.length} accounts: set CLOUDFLARE_ACCOUNT_ID to the one to use.`,
    )
  return first.id
}

/** The names of an account's Workers, KV namespaces and queues. */
type Names = { workers: Set<string>; namespaces: Set<string>; queues: Set<string> }

/**
 * Checks the plan, and every permission that a read can test, before anything is made.
 * @throws CommandError
 */
export async function checkAccount(
  client: CloudflareClient,
  account_id: string,
  { domain }: Options,
): Promise<Names> {
  const missing: string[] = []
  const tried = async <T>(permission: string, read: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await read()
    } catch (error) {
      if (!isOfToken(error)) throw commandErrorOf(error, `checking the permission ${permission}`)
      missing.push(permission)
      return undefined
    }
  }
  const subscriptions = await tried(BILLING, () => all(client.accounts.subscriptions.get({ account_id })))
  const scripts = await tried(SCRIPTS, () => all(client.workers.scripts.list({ account_id })))
  const namespaces = await tried(KV, () => all(client.kv.namespaces.list({ account_id })))
  const queues = await tried(QUEUES, () => all(client.queues.list({ account_id })))
  if (domain !== undefined) await tried(ZONE, () => all(client.zones.list({ name: domain })))
  if (missing.length > 0)
    throw new CommandError(
      `The token of CLOUDFLARE_API_TOKEN lacks ${missing.join(', ')}: add ${missing.length > 1 ? 'these permissions' : 'this permission'} to the token. Nothing was made.`,
    )
  const plans = (subscriptions ?? []).filter(({ rate_plan }) => isPaid(rate_plan))
  const ended = plans.every(({ state = '' }) => ENDED.includes(state)) && plans[0]?.state
  if (ended)
    throw new CommandError(
      `Workers Paid is ${ended.toLowerCase()} in the Cloudflare account: renew it under Workers & Pages, Plans. Nothing was made.`,
    )
  if (plans.length === 0)
    throw new CommandError(
      'The Cloudflare account is on the free plan of Workers: choose Workers Paid ($5 a month) under Workers & Pages, Plans. Nothing was made.',
    )
  return {
    workers: new Set(scripts?.flatMap(({ id }) => id ?? [])),
    namespaces: new Set(namespaces?.map(({ title }) => title)),
    queues: new Set(queues?.flatMap(({ queue_name }) => queue_name ?? [])),
  }
}

/** States of a subscription that has ended or ends with the period that is paid. */
const ENDED: string[] = ['Cancelled', 'Failed', 'Expired']

/** Subscriptions of Workers have ids such as WORKERS_PAID and PARTNERS_WORKERS_ENT. */
const isPaid = (plan: { id?: string; public_name?: string } | undefined): boolean =>
  /workers/i.test(`${plan?.id} ${plan?.public_name}`) && !/free/i.test(`${plan?.id}`)

/**
 * Makes the KV namespaces of some bindings.
 * @param name the deployment's
 * @returns their ids by binding; undefined in a plan that would make one
 */
export async function makeNamespaces(
  client: CloudflareClient,
  account_id: string,
  maker: Maker,
  { name, bindings }: { name: string; bindings: string[] },
): Promise<Record<string, string> | undefined> {
  const kv: Record<string, string> = {}
  for (const binding of bindings) {
    const id = await makeNamespace(client, account_id, maker, namespaceOf(name, binding))
    if (id !== undefined) kv[binding] = id
  }
  return bindings.every((binding) => binding in kv) ? kv : undefined
}

/** What to do if a KV namespace or a queue is somebody else's. */
const OTHERWISE = 'choose another name with --name, or delete it.'

/**
 * Checks before anything is made that no namespace or queue of somebody else has a name of the deployment.
 * @throws CommandError
 */
export function requireFree(
  there: Names,
  maker: Maker,
  wanted: { namespaces: string[]; queues: string[] },
): void {
  for (const title of wanted.namespaces)
    if (there.namespaces.has(title)) maker.requireBegun(`the KV namespace ${title}`, OTHERWISE)
  for (const queue of wanted.queues)
    if (there.queues.has(queue)) maker.requireBegun(`the queue ${queue}`, OTHERWISE)
}

/** Returns the name of a binding's KV namespace, such as agentcred-nonces. */
export const namespaceOf = (name: string, binding: string): string => `${name}-${binding.toLowerCase()}`

const makeNamespace = (client: CloudflareClient, account_id: string, maker: Maker, title: string) =>
  maker.take({
    what: `the KV namespace ${title}`,
    find: async () =>
      (await all(client.kv.namespaces.list({ account_id }))).find((one) => one.title === title)?.id,
    make: async () => (await client.kv.namespaces.create({ account_id, title })).id,
    permission: KV,
    otherwise: OTHERWISE,
  })

/** Makes a queue. wrangler deploys a Worker only if its queues exist. */
export const makeQueue = (client: CloudflareClient, account_id: string, maker: Maker, queue_name: string) =>
  maker.take({
    what: `the queue ${queue_name}`,
    find: async () =>
      (await all(client.queues.list({ account_id }))).find((one) => one.queue_name === queue_name)?.queue_id,
    make: async () => {
      const { queue_id } = await client.queues.create({ account_id, queue_name })
      if (queue_id === undefined) throw new Error('Cloudflare returned no id')
      return queue_id
    },
    permission: QUEUES,
    otherwise: OTHERWISE,
  })

type Backlog = { queue: string; messages: number; bytes: number; oldest: Date | undefined }

/** Reads the backlogs of a deployment's queues. @throws CommandError */
export async function backlogsOf(
  client: CloudflareClient,
  account_id: string,
  name: string,
): Promise<Backlog[]> {
  try {
    const queues = await all(client.queues.list({ account_id }))
    const own = queues.filter(({ queue_name }) => queue_name?.startsWith(`${name}-`))
    const backlogs = own.map(async ({ queue_id = '', queue_name = '' }) => {
      const metrics = await client.queues.getMetrics(queue_id, { account_id })
      const { backlog_count, backlog_bytes, oldest_message_timestamp_ms: since } = metrics
      const oldest = since > 0 ? new Date(since) : undefined
      return { queue: queue_name, messages: backlog_count, bytes: backlog_bytes, oldest }
    })
    return (await Promise.all(backlogs)).toSorted((a, b) => a.queue.localeCompare(b.queue))
  } catch (error) {
    throw commandErrorOf(error, 'reading the queues', QUEUES)
  }
}
