import type { CloudflareClient } from '../setup/cloudflare.ts'
import { all, KV, QUEUES, ROUTES, SCRIPTS, ZONE } from '../setup/cloudflare.ts'
import { commandErrorOf } from '../setup/errors.ts'
import type { Recorded } from './record.ts'

/** Something to remove. */
export type Thing = {
  /** Its name in messages, such as "the queue agentcred-deliveries". */
  what: string
  remove: () => Promise<unknown>
  /** The token's permission for the removal. */
  permission: string
}

/** The things to remove, in order, and the things that stay, with reasons. */
export type Found = { things: Thing[]; left: string[] }

/** A queue or KV namespace; `what` is its name in setup.json, `title` its name at Cloudflare. */
type Existing = { what: string; id: string; title: string }

/**
 * Separates this deployment's things from others: by the id in setup.json, or by the name if setup was
 * interrupted before it recorded the id.
 */
function chosenOf(there: Existing[], { journal: { begun, made } }: Pick<Recorded, 'journal'>) {
  const isOwn = ({ what, id }: Existing) =>
    made[what] === undefined ? begun.includes(what) : made[what] === id
  return { own: there.filter(isOwn), others: there.filter((one) => !isOwn(one)) }
}

/**
 * Lists a deployment's things at Cloudflare, in the order to remove them: addresses, queue consumers,
 * Workers, queues, KV namespaces.
 * @throws CommandError
 */
export async function findThings(
  client: CloudflareClient,
  account_id: string,
  record: Recorded,
): Promise<Found> {
  const { name } = record
  const read = <T>(what: string, permission: string, list: AsyncIterable<T>): Promise<T[]> =>
    all(list).catch((error) => {
      throw commandErrorOf(error, `looking for ${what}`, permission)
    })
  const isNamed = (text = '') => text.startsWith(`${name}-`)
  const scripts = await read('the Workers', SCRIPTS, client.workers.scripts.list({ account_id }))
  const there = scripts.flatMap(({ id }) => id ?? [])
  const workers = there.filter((one) => record.workers.has(one))
  const queues = await read('the queues', QUEUES, client.queues.list({ account_id }))
  const chosenQueues = chosenOf(
    queues.map(({ queue_id: id = '', queue_name: title = '' }) => ({
      what: `the queue ${title}`,
      id,
      title,
    })),
    record,
  )
  const namespaces = await read('the KV namespaces', KV, client.kv.namespaces.list({ account_id }))
  const chosenNamespaces = chosenOf(
    namespaces.map(({ id, title }) => ({ what: `the KV namespace ${title}`, id, title })),
    record,
  )
  const addresses = await addressesOf(client, account_id, record, workers)
  const consumers: Thing[] = []
  for (const { id: queue_id, what } of chosenQueues.own)
    for (const one of await read(
      'consumers',
      QUEUES,
      client.queues.consumers.list(queue_id, { account_id }),
    )) {
      const { consumer_id = '' } = one
      const remove = () => client.queues.consumers.delete(consumer_id, { account_id, queue_id })
      consumers.push({ what: `the consumer of ${what}`, permission: QUEUES, remove })
    }
  const foreign = [
    ...there.filter((one) => isNamed(one) && !workers.includes(one)).map((one) => `the Worker ${one}`),
    ...[...chosenQueues.others, ...chosenNamespaces.others]
      .filter(({ title }) => isNamed(title))
      .map(({ what }) => what),
  ]
  return {
    things: [
      ...addresses.things,
      // Cloudflare keeps a Worker that consumes a queue, or that another Worker is bound to.
      ...consumers,
      ...(await inOrder(client, account_id, workers)).map((one) => ({
        what: `the Worker ${one}`,
        permission: SCRIPTS,
        remove: () => client.workers.scripts.delete(one, { account_id }),
      })),
      ...chosenQueues.own.map(({ what, id }) => ({
        what,
        permission: QUEUES,
        remove: () => client.queues.delete(id, { account_id }),
      })),
      ...chosenNamespaces.own.map(({ what, id }) => ({
        what,
        permission: KV,
        remove: () => client.kv.namespaces.delete(id, { account_id }),
      })),
    ],
    left: [...addresses.left, ...foreign.map((what) => `${what}, which this deployment did not make`)],
  }
}

/**
 * Lists the custom domains and routes that lead to these Workers: to remove at the deployment's hosts, to
 * leave at others.
 */
async function addressesOf(
  client: CloudflareClient,
  account_id: string,
  { deployment }: Recorded,
  workers: string[],
): Promise<Found> {
  const things: Thing[] = []
  const left: string[] = []
  // Setup writes the deployment's file before it deploys, so without it no address was made.
  if (deployment === undefined) return { things, left }
  const hosts = [deployment, ...(deployment.formerHosts ?? [])]
  const add = (what: string, host: string, of: Omit<Thing, 'what'>) => {
    if (hosts.some((one) => one.host === host)) things.push({ what, ...of })
    else left.push(`${what}, which will point to no Worker: setup did not make it`)
  }
  const domains = await all(client.workers.domains.list({ account_id })).catch((error) => {
    throw commandErrorOf(error, 'looking for the custom domains', SCRIPTS)
  })
  for (const { id, hostname, service } of domains) {
    const remove = () => client.workers.domains.delete(id, { account_id })
    if (workers.includes(service))
      add(`the custom domain ${hostname}`, hostname, { remove, permission: SCRIPTS })
  }
  for (const zone of new Set(hosts.flatMap((one) => one.zone ?? []))) {
    const zones = await all(client.zones.list({ name: zone })).catch((error) => {
      throw commandErrorOf(error, `looking for the zone ${zone}`, ZONE)
    })
    for (const { id: zone_id } of zones) {
      const routes = await all(client.workers.routes.list({ zone_id })).catch((error) => {
        throw commandErrorOf(error, 'looking for the routes', ROUTES)
      })
      for (const { id, pattern, script = '' } of routes) {
        const remove = () => client.workers.routes.delete(id, { zone_id })
        if (workers.includes(script))
          add(`the route ${pattern}`, pattern.replace(/\/.*$/, ''), { remove, permission: ROUTES })
      }
    }
  }
  return { things, left }
}

/** Sorts Workers into the order to remove them in: each before the Workers that it is bound to. */
async function inOrder(client: CloudflareClient, account_id: string, names: string[]): Promise<string[]> {
  const bound = new Map<string, string[]>()
  for (const name of names) {
    const { bindings = [] } = await client.workers.scripts.scriptAndVersionSettings
      .get(name, { account_id })
      .catch((error) => {
        throw commandErrorOf(error, `reading the bindings of ${name}`, SCRIPTS)
      })
    bound.set(
      name,
      bindings.flatMap(
        (one) => ('service' in one && one.service) || ('script_name' in one && one.script_name) || [],
      ),
    )
  }
  const sorted: string[] = []
  // It ends, because deploy refuses Workers that bind each other in a circle (deploy/order.ts).
  const add = (name: string) => {
    if (sorted.includes(name)) return
    for (const [other, others] of bound) if (other !== name && others.includes(name)) add(other)
    sorted.push(name)
  }
  for (const name of names) add(name)
  return sorted
}
