import { networkOf } from '../../solana/chains.ts'
import { isMade, type MadeVariable } from '../../tools/made-variables.ts'
import { addressOf, hasGateway, ownHosts, ROOT, type Route, redirectedHosts } from './addresses.ts'
import { type Deployment, groupsLeftOut } from './deployment.ts'

/**
 * Makes the configuration that wrangler gets: wrangler.toml with the deployment's values instead of the
 * examples. Pure: the same deployment makes the same text.
 */

/** One [env] block of wrangler.toml, as far as a deployment changes it. */
export type RawGroup = {
  name: string
  main: string
  routes?: Route[]
  workers_dev?: boolean
  vars?: Record<string, string>
  secrets?: { required: string[] }
  kv_namespaces?: { binding: string; id: string }[]
  ratelimits?: { name: string; namespace_id: string }[]
  services?: Service[]
  version_metadata?: { binding: string }
  triggers?: { crons?: string[] }
  migrations?: Lifecycle[]
  durable_objects?: { bindings: { name: string; class_name: string; script_name?: string }[] }
  queues?: {
    producers?: { binding: string; queue: string }[]
    consumers?: { queue: string; dead_letter_queue?: string }[]
  }
  assets?: { directory: string; binding: string }
  build?: { command: string; cwd?: string }
}

/** A step of a Worker's Durable Object classes. */
type Lifecycle = { tag: string; new_classes?: string[]; new_sqlite_classes?: string[] }

/** wrangler.toml as it stands. */
export type RawConfig = { name: string; alias?: Record<string, string>; env: Record<string, RawGroup> }

/** The prefix of the names of Workers and queues in wrangler.toml. */
const EXAMPLE_NAME = 'agentcred'

/** The number before the first rate limit in wrangler.toml. */
const EXAMPLE_NAMESPACE = 1000

/**
 * Returns a deployment's configuration. It leaves out variables that wrangler.toml lacks: after a rollback
 * they belong to a later release.
 * @param resolve makes a path of wrangler.toml absolute, since the configuration is in another folder
 * @throws Error that names a setting or a KV binding on which the deployment and wrangler.toml disagree
 */
export function configFor(
  base: RawConfig,
  deployment: Deployment,
  resolve: (path: string) => string,
): RawConfig {
  requireFitting(deployment)
  const left = new Set(groupsLeftOut(deployment))
  const groups = Object.entries(base.env).filter(([group]) => !left.has(group))
  const gone = Object.entries(base.env).flatMap(([group, { name }]) => (left.has(group) ? [name] : []))
  const notOffered = pathsOf(base, [...left]).join(' ')
  const healthBindings = healthBindingsOf(groups)
  const parts = { deployment, gone, resolve, gateway: gatewayOf(groups), healthBindings, notOffered }
  return {
    ...base,
    ...(base.alias && {
      alias: Object.fromEntries(Object.entries(base.alias).map(([from, to]) => [from, resolve(to)])),
    }),
    name: deployment.name,
    env: Object.fromEntries(groups.map(([group, raw]) => [group, groupFor(group, raw, parts)])),
  }
}

/** @throws Error that names a variable that the deployment makes, or that needs Solana */
export function requireFitting({ solana, vars }: Pick<Deployment, 'solana' | 'vars'>): void {
  const made = Object.keys(vars).filter(isMade)
  if (made.length > 0)
    throw new Error(
      `deployment.json sets ${made.join(', ')} in vars, but the deployment makes that itself: remove it from vars${made.includes('ARD_PUBLISHER') ? ', and set publisher to that ARD_PUBLISHER' : ''}`,
    )
  if (solana === 'none' && vars.ATTESTATION_ISSUERS)
    throw new Error('ATTESTATION_ISSUERS needs SOLANA_RPC_URL: attestations are proven on Solana')
}

type Parts = {
  deployment: Deployment
  /** The names in wrangler.toml of the Workers that are left out. */
  gone: string[]
  resolve: (path: string) => string
  gateway: Gateway
  healthBindings: Service[]
  notOffered: string
}

type Service = { binding: string; service: string; entrypoint?: string }

/** Returns root's bindings for asking the other Workers for their health (functions/root/workers.ts). */
export const healthBindingsOf = (groups: [string, Pick<RawGroup, 'name'>][]): Service[] =>
  groups.flatMap(([group, { name }]) =>
    group === ROOT ? [] : [{ binding: `WORKER_${group.toUpperCase()}`, service: name, entrypoint: 'Health' }],
  )

/** Returns whether a deployment adds this binding of root, which wrangler.toml does not have. */
export const isAdded = ({ binding }: { binding: string }): boolean => /^(GATEWAY|WORKER)_/.test(binding)

/** How root reaches the other Workers in the topology "gateway". */
type Gateway = { table: string; services: Service[] }

/** The path of a route's pattern, without the asterisk at its end. */
const prefixOf = ({ pattern }: Route): string => pattern.replace(/^[^/]*/, '').replace(/\*$/, '')

/** Makes root's table and bindings from the routes of the other Workers. */
export function gatewayOf(groups: [string, Pick<RawGroup, 'name' | 'routes'>][]): Gateway {
  const routed = groups.filter(([group, { routes = [] }]) => group !== ROOT && routes.length > 0)
  const bindingOf = (group: string) => `GATEWAY_${group.toUpperCase()}`
  return {
    table: routed
      .flatMap(([group, { routes = [] }]) => routes.map((route) => `${prefixOf(route)}=${bindingOf(group)}`))
      .join(' '),
    services: routed.map(([group, { name }]) => ({ binding: bindingOf(group), service: name })),
  }
}

/** Returns the path prefixes of some Workers. */
export const pathsOf = ({ env }: RawConfig, groups: readonly string[]): string[] =>
  groups.flatMap((group) => env[group]?.routes?.map(prefixOf) ?? [])

/** Returns the bindings of the KV namespaces of all Workers. */
export const kvBindings = ({ env }: RawConfig): string[] => [
  ...new Set(Object.values(env).flatMap((one) => one.kv_namespaces?.map(({ binding }) => binding) ?? [])),
]

/**
 * Returns a deployment with a text for each KV namespace that it lacks, for commands that deploy nothing: a
 * later release may have added one.
 */
export const withNamespaces = (base: RawConfig, deployment: Deployment): Deployment => ({
  ...deployment,
  kv: { ...Object.fromEntries(kvBindings(base).map((binding) => [binding, 'to be made'])), ...deployment.kv },
})

function groupFor(group: string, raw: RawGroup, parts: Parts): RawGroup {
  const { deployment, gone, resolve, gateway, healthBindings } = parts
  const { name, kv } = deployment
  const renamed = (text: string) => text.replace(new RegExp(`^${EXAMPLE_NAME}(?=-)`), name)
  const added = group === ROOT ? [...healthBindings, ...(hasGateway(deployment) ? gateway.services : [])] : []
  const services = [...(raw.services ?? []), ...added].filter(({ service }) => !gone.includes(service))
  const required = raw.secrets?.required.filter(
    (secret) => deployment.solana !== 'none' || secret !== 'SOLANA_RPC_URL',
  )
  const { routes: _, ...rest } = raw
  return {
    ...rest,
    name: renamed(raw.name),
    main: resolve(raw.main),
    version_metadata: { binding: 'VERSION' },
    ...addressOf(group, raw.routes, deployment),
    ...(raw.vars && { vars: varsFor(raw.vars, parts) }),
    ...(required && { secrets: { required } }),
    services: services.map((one) => ({ ...one, service: renamed(one.service) })),
    ...(raw.kv_namespaces && {
      kv_namespaces: raw.kv_namespaces.map((one) => {
        const id = kv[one.binding]
        if (id === undefined)
          throw new Error(`the deployment has no KV namespace ${one.binding}: run npm run setup`)
        return { ...one, id }
      }),
    }),
    ...(raw.ratelimits && {
      ratelimits: raw.ratelimits.map((one) => ({
        ...one,
        namespace_id: String(deployment.rateLimits + Number(one.namespace_id) - EXAMPLE_NAMESPACE),
      })),
    }),
    ...(raw.queues && {
      queues: {
        producers: raw.queues.producers?.map((one) => ({ ...one, queue: renamed(one.queue) })) ?? [],
        consumers:
          raw.queues.consumers?.map((one) => ({
            ...one,
            queue: renamed(one.queue),
            ...(one.dead_letter_queue && { dead_letter_queue: renamed(one.dead_letter_queue) }),
          })) ?? [],
      },
    }),
    ...(raw.assets && { assets: { ...raw.assets, directory: resolve(raw.assets.directory) } }),
    ...(raw.build && { build: { ...raw.build, cwd: resolve('') } }),
  }
}

function varsFor(vars: Record<string, string>, parts: Parts): Record<string, string> {
  const { deployment, gateway, notOffered } = parts
  const { host, publisher, clockLocation, databaseLimit, solana } = deployment
  const own: Record<MadeVariable, string | undefined> = {
    API_HOST: ownHosts(deployment),
    API_ORIGIN: `https://${host}`,
    ARD_PUBLISHER: publisher,
    CLOCK_LOCATION: clockLocation,
    DATABASE_LIMIT_BYTES: databaseLimit,
    FORMER_HOSTS: redirectedHosts(deployment),
    GATEWAY: hasGateway(deployment) ? gateway.table : '',
    NOT_OFFERED: notOffered,
    X402_NETWORK: solana === 'none' ? undefined : networkOf(solana),
  }
  const set = (name: string) => (isMade(name) ? own[name] : deployment.vars[name])
  return Object.fromEntries(Object.entries(vars).map(([name, value]) => [name, set(name) ?? value]))
}
