import { createHash } from 'node:crypto'
import type { Subscription } from 'cloudflare/resources/shared'
import type { Operation } from '../published.ts'

export type Script = {
  /** Of the version that gets most requests. */
  metadata: Metadata
  secrets: Record<string, string>
  onWorkersDev: boolean
  crons: string[]
  /** The newest first. */
  versions: Version[]
  /** Which versions get how much, now. */
  shares: { version_id: string; percentage: number }[]
  /** The last step of its Durable Object classes. */
  migrationTag: string | undefined
  /** The classes that those steps have made. */
  classes: string[]
}

export type Version = {
  id: string
  metadata: Metadata
  secrets: Record<string, string>
  /** The classes that there were when it went up. */
  migrationTag: string | undefined
}

type Classes = { new_classes?: string[]; new_sqlite_classes?: string[] }

export type Metadata = {
  bindings: {
    type: string
    name: string
    text?: string
    service?: string
    script_name?: string
    entrypoint?: string
    queue_name?: string
    namespace_id?: string
  }[]
  main_module: string
  compatibility_date: string
  migrations?: { new_tag: string; steps?: Classes[] } & Classes
  annotations?: Record<string, string>
  limits?: object
}

type Queue = { queue_id: string; queue_name: string; consumers: Consumer[]; backlog: number }
type Consumer = { consumer_id: string; script: string; script_name: string; type: string; settings: unknown }

export type CloudflareState = ReturnType<typeof cloudflareState>

export const ACCOUNT = '0123456789abcdef0123456789abcdef'
export const TOKEN = 'cloudflare-token-0123456789'
const ZONE_ID = 'aaaabbbbccccddddeeeeffff00001111'

export const SCOPES = [
  'Account Settings:Read',
  'Billing:Read',
  'Workers Scripts:Edit',
  'Workers KV Storage:Edit',
  'Queues:Edit',
  'Zone:Read',
  'DNS:Read',
  'Workers Routes:Edit',
]

export function cloudflareState() {
  return {
    scopes: new Set(SCOPES),
    plan: 'WORKERS_PAID',
    /** Of the plan's subscription, as it is published (shared.d.ts, Subscription). */
    planState: 'Paid' as NonNullable<Subscription['state']>,
    /** Whether the user's e-mail address is verified. */
    isVerified: true,
    /** Whether Queues are enabled for the account, which its owner does in the dashboard. */
    hasQueues: true,
    accounts: [{ id: ACCOUNT, name: 'Acme' }],
    subdomain: 'acme' as string | undefined,
    zones: [{ id: ZONE_ID, name: 'acme.test', status: 'active', account: { id: ACCOUNT } }],
    namespaces: new Map<string, string>(),
    queues: new Map<string, Queue>(),
    scripts: new Map<string, Script>(),
    domains: new Map<string, string>(),
    routes: new Map<string, string>(),
    /** Names of the zone's DNS records that were not made by Workers. */
    records: new Set<string>(),
    /** The number of each kind that was ever made. */
    made: { namespaces: 0, queues: 0, subdomains: 0 },
    /** Sessions of assets that were begun. */
    sessions: new Map<string, string[]>(),
    /** Ignores overrides silently, as Cloudflare does if it can't apply them. Requests go by percentages. */
    ignoresOverrides: false,
    /** Requests that went by percentages. Each takes the next place of a hundred. */
    routed: 0,
    /** How many more times a list of a Worker's versions lacks the newest after an upload, as it may. */
    listsLate: 0,
    /** How many more times a namespace counts as bound to a deleted Worker. */
    unbindsLate: 0,
    /** Versions whose Workers can't reach their database. */
    isIll: (_script: string, _version: Version): boolean => false,
  }
}

export class ApiError extends Error {
  readonly status: number
  readonly code: number
  constructor(status: number, code: number, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** A request that is not as its operation is published. A test that meets one fails at its end. */
export class Misfit extends ApiError {
  constructor(why: string) {
    super(400, 10001, why)
  }
}

export const notFound = (what: string) => new ApiError(404, 10007, `${what} does not exist`)
export const invalid = (why: string) => new ApiError(400, 10021, why)

export const idOf = (text: string) => createHash('md5').update(text).digest('hex')

export function scriptOf({ scripts }: CloudflareState, name = ''): Script {
  const found = scripts.get(name)
  if (!found) throw notFound(`The Worker ${name}`)
  return found
}

/** A request, its body parsed where it is JSON. */
export type Call<Body = never> = { query: URLSearchParams; body: Body; form: () => Promise<FormData> }

export type Route = Operation & {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** As it is published, below the account unless it begins with a slash of its own: `/queues/{queue_id}`. */
  path: string
  /** The token's permission that it takes. */
  scope?: string
  /** wrangler asks it, and no description of it is published: anything goes. */
  isUnpublished?: true
  handle: (state: CloudflareState, call: Call, ...ids: string[]) => unknown
}

/** Binds what a handler reads to the type that its operation is published with. */
export const route = <Body>(
  one: Omit<Route, 'handle'> & {
    handle: (state: CloudflareState, call: Call<Body>, ...ids: string[]) => unknown
  },
): Route => one as Route
