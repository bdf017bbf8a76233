import { createHash } from 'node:crypto'

/*
 * Cloudflare's API, as far as wrangler and the setup ask it: it checks what it is sent, and keeps state.
 */

export type Script = {
  metadata: Metadata
  secrets: Record<string, string>
  onWorkersDev: boolean
  crons: string[]
}
type Binding = {
  type: string
  name: string
  text?: string
  service?: string
  queue_name?: string
  namespace_id?: string
}
type Metadata = {
  bindings: Binding[]
  main_module: string
  compatibility_date: string
  migrations?: object
  limits?: object
}

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
    accounts: [{ id: ACCOUNT, name: 'Acme' }],
    subdomain: 'acme' as string | undefined,
    zones: [{ id: ZONE_ID, name: 'acme.test', status: 'active', account: { id: ACCOUNT } }],
    namespaces: new Map<string, string>(),
    queues: new Map<
      string,
      { queue_id: string; queue_name: string; consumers: { consumer_id: string; settings: object }[] }
    >(),
    scripts: new Map<string, Script>(),
    domains: new Map<string, string>(),
    routes: new Map<string, string>(),
    /** Names of the zone's DNS records that nobody made by Workers. */
    records: new Set<string>(),
    /** How many of each kind were ever made. */
    made: { namespaces: 0, queues: 0, subdomains: 0 },
    /** Sessions of assets that were begun. */
    sessions: new Map<string, string[]>(),
  }
}

class ApiError extends Error {
  readonly status: number
  readonly code: number
  constructor(status: number, code: number, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

const notFound = (what: string) => new ApiError(404, 10007, `${what} does not exist`)
const invalid = (why: string) => new ApiError(400, 10021, why)

type Call = {
  method: string
  path: string
  query: URLSearchParams
  body: () => Promise<Record<string, unknown>>
  form: () => Promise<FormData>
}
type Route = [
  method: string,
  path: RegExp,
  scope: string | undefined,
  handle: (call: Call, ...ids: string[]) => unknown,
]

/** Answers a request as Cloudflare would. */
export async function answerCloudflare(state: CloudflareState, request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  const path = pathname.replace(/^\/client\/v4/, '')
  try {
    const uploadToken = /^\/accounts\/\w+\/workers\/assets\/upload$/.test(path)
    if (!uploadToken && request.headers.get('authorization') !== `Bearer ${TOKEN}`)
      throw new ApiError(401, 10000, 'Authentication error')
    for (const [method, pattern, scope, handle] of routes(state)) {
      const ids = pattern.exec(path)
      if (method !== request.method || !ids) continue
      if (scope && !granted(state, scope)) throw new ApiError(403, 10000, 'Authentication error')
      const call: Call = {
        method,
        path,
        query: searchParams,
        body: async () => (await request.json()) as Record<string, unknown>,
        form: () => request.formData(),
      }
      const answer = await handle(call, ...ids.slice(1).map(decodeURIComponent))
      if (answer instanceof Response) return answer
      // Everything is on the first page, and clients read until a page is empty.
      const result = Array.isArray(answer) && Number(searchParams.get('page') ?? 1) > 1 ? [] : answer
      const count = Array.isArray(result) ? result.length : 1
      const result_info = { page: 1, per_page: 100, count, total_count: count, total_pages: 1 }
      return Response.json({ success: true, errors: [], messages: [], result, result_info })
    }
    throw new ApiError(404, 7003, `No route for ${request.method} ${path}: the fake does not know it`)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { status, code, message } = error
    return Response.json(
      { success: false, errors: [{ code, message }], messages: [], result: null },
      { status },
    )
  }
}

const granted = ({ scopes }: CloudflareState, scope: string): boolean =>
  scopes.has(scope) || (scope.endsWith(':Read') && scopes.has(scope.replace(':Read', ':Edit')))

function routes(state: CloudflareState): Route[] {
  const a = `^/accounts/${ACCOUNT}`
  const at = (path: string) => new RegExp(`${a}${path}$`)
  const script = (name: string) => {
    const found = state.scripts.get(name)
    if (!found) throw notFound(`The Worker ${name}`)
    return found
  }
  const idOf = (text: string) => createHash('md5').update(text).digest('hex')
  const queueNamed = (id: string) => [...state.queues.values()].find(({ queue_id }) => queue_id === id)
  return [
    ['GET', /^\/user\/tokens\/verify$/, undefined, () => ({ id: 'token-id', status: 'active' })],
    ['GET', /^\/accounts$/, 'Account Settings:Read', () => state.accounts],
    ['GET', /^\/memberships$/, undefined, () => state.accounts.map((account) => ({ account }))],
    [
      'GET',
      at('/subscriptions'),
      'Billing:Read',
      () => [{ id: 's1', state: 'Paid', rate_plan: { id: state.plan, public_name: state.plan } }],
    ],
    // KV.
    [
      'GET',
      at('/storage/kv/namespaces'),
      'Workers KV Storage:Read',
      () => [...state.namespaces].map(([title, id]) => ({ id, title })),
    ],
    [
      'POST',
      at('/storage/kv/namespaces'),
      'Workers KV Storage:Edit',
      async ({ body }) => {
        const { title, ...others } = await body()
        if (typeof title !== 'string' || Object.keys(others).length > 0) throw invalid('title')
        if (state.namespaces.has(title))
          throw new ApiError(400, 10014, 'a namespace with this account ID and title already exists')
        state.made.namespaces += 1
        state.namespaces.set(title, idOf(`${title}${state.made.namespaces}`))
        return { id: state.namespaces.get(title), title }
      },
    ],
    // Queues.
    [
      'GET',
      at('/queues'),
      'Queues:Read',
      ({ query }) =>
        [...state.queues.values()].filter(
          ({ queue_name }) => !query.has('name') || query.getAll('name').includes(queue_name),
        ),
    ],
    [
      'POST',
      at('/queues'),
      'Queues:Edit',
      async ({ body }) => {
        const { queue_name } = await body()
        if (typeof queue_name !== 'string') throw invalid('queue_name')
        if (state.plan === 'FREE') throw new ApiError(400, 100129, 'Queues are unavailable on the free plan.')
        if (state.queues.has(queue_name)) throw new ApiError(409, 11009, 'Queue name is already taken')
        state.made.queues += 1
        const queue = { queue_id: idOf(queue_name), queue_name, consumers: [] }
        state.queues.set(queue_name, queue)
        return queue
      },
    ],
    [
      'GET',
      at('/queues/(\\w+)/consumers'),
      'Queues:Read',
      (_call, id) => queueNamed(id ?? '')?.consumers ?? [],
    ],
    [
      'POST',
      at('/queues/(\\w+)/consumers'),
      'Queues:Edit',
      async ({ body }, id) => {
        const queue = queueNamed(id ?? '')
        if (!queue) throw notFound('The queue')
        const { script_name, type, dead_letter_queue, settings } = await body()
        if (type !== 'worker' || !state.scripts.has(String(script_name))) throw invalid('script_name')
        if (dead_letter_queue && !state.queues.has(String(dead_letter_queue)))
          throw notFound('The dead letter queue')
        queue.consumers.push({
          consumer_id: idOf(queue.queue_name),
          script: script_name,
          script_name,
          type,
          settings,
        } as never)
        return queue.consumers[0]
      },
    ],
    [
      'PUT',
      at('/queues/(\\w+)/consumers/(\\w+)'),
      'Queues:Edit',
      async (_call, id) => queueNamed(id ?? '')?.consumers[0],
    ],
    // Addresses.
    [
      'GET',
      at('/workers/subdomain'),
      'Workers Scripts:Read',
      () => {
        if (state.subdomain === undefined)
          throw new ApiError(404, 10007, 'workers.api.error.subdomain_not_found')
        return { subdomain: state.subdomain }
      },
    ],
    [
      'PUT',
      at('/workers/subdomain'),
      'Workers Scripts:Edit',
      async ({ body }) => {
        const { subdomain } = await body()
        if (state.subdomain !== undefined) throw new ApiError(409, 10036, 'account already has a subdomain')
        state.made.subdomains += 1
        state.subdomain = String(subdomain)
        return { subdomain }
      },
    ],
    [
      'GET',
      /^\/zones$/,
      'Zone:Read',
      ({ query }) => state.zones.filter(({ name }) => !query.has('name') || query.get('name') === name),
    ],
    ['GET', /^\/zones\/(\w+)$/, 'Zone:Read', (_call, id) => state.zones.find((zone) => zone.id === id)],
    [
      'GET',
      /^\/zones\/(\w+)\/workers\/routes$/,
      'Workers Routes:Read',
      () => [...state.routes].map(([pattern, name]) => ({ id: idOf(pattern), pattern, script: name })),
    ],
    [
      'PUT',
      at('/workers/scripts/([\\w-]+)/routes'),
      'Workers Routes:Edit',
      async ({ body }, name) => {
        for (const { pattern } of (await body()) as unknown as { pattern: string }[])
          state.routes.set(pattern, name ?? '')
        return [...state.routes].map(([pattern]) => ({ id: idOf(pattern), pattern, script: name }))
      },
    ],
    [
      'POST',
      at('/workers/scripts/([\\w-]+)/domains/changeset'),
      'Workers Scripts:Edit',
      async ({ body }) => ({ added: await body(), removed: [], updated: [], conflicting: [] }),
    ],
    [
      'PUT',
      at('/workers/scripts/([\\w-]+)/domains/records'),
      'Workers Scripts:Edit',
      async ({ body }, name) => {
        const { origins } = (await body()) as { origins: { hostname: string }[] }
        for (const { hostname } of origins) state.domains.set(hostname, name ?? '')
        return []
      },
    ],
    [
      'GET',
      at('/workers/domains'),
      'Workers Scripts:Read',
      ({ query }) =>
        [...state.domains].flatMap(([hostname, service]) =>
          hostname === query.get('hostname') ? [{ id: idOf(hostname), hostname, service }] : [],
        ),
    ],
    [
      'GET',
      /^\/zones\/(\w+)\/dns_records$/,
      'DNS:Read',
      () => [...state.records].map((name) => ({ id: idOf(name), name, type: 'A' })),
    ],
    // Scripts.
    [
      'GET',
      at('/workers/workers/([\\w-]+)'),
      'Workers Scripts:Read',
      (_call, name) => ({
        id: idOf(name ?? ''),
        name,
        subdomain: { enabled: script(name ?? '').onWorkersDev, previews_enabled: false },
      }),
    ],
    [
      'GET',
      at('/workers/scripts'),
      'Workers Scripts:Read',
      () => [...state.scripts.keys()].map((id) => ({ id, created_on: '2026-11-23T00:00:00Z' })),
    ],
    [
      'GET',
      at('/workers/services/([\\w-]+)'),
      'Workers Scripts:Read',
      (_call, name) => {
        script(name ?? '')
        return {
          id: name,
          default_environment: {
            environment: 'production',
            script: { tag: 't', tags: [], last_deployed_from: 'wrangler', migration_tag: 'v1' },
          },
        }
      },
    ],
    [
      'GET',
      at('/workers/scripts/([\\w-]+)/deployments'),
      'Workers Scripts:Read',
      (_call, name) => {
        script(name ?? '')
        return {
          deployments: [
            {
              id: 'd1',
              strategy: 'percentage',
              author_email: '',
              annotations: {},
              versions: [{ version_id: 'v1', percentage: 100 }],
            },
          ],
        }
      },
    ],
    [
      'GET',
      at('/workers/scripts/([\\w-]+)/versions/\\w+'),
      'Workers Scripts:Read',
      (_call, name) => ({
        id: 'v1',
        resources: {
          bindings: script(name ?? '').metadata.bindings,
          script: { etag: 'e', handlers: ['fetch'], last_deployed_from: 'wrangler' },
          script_runtime: {},
        },
        metadata: {},
      }),
    ],
    [
      'GET',
      at('/workers/scripts/([\\w-]+)/secrets'),
      'Workers Scripts:Read',
      (_call, name) =>
        Object.keys(script(name ?? '').secrets).map((secret) => ({ name: secret, type: 'secret_text' })),
    ],
    [
      'GET',
      at('/workers/scripts/([\\w-]+)/(?:bindings|settings)'),
      'Workers Scripts:Read',
      (_call, name) => ({ bindings: script(name ?? '').metadata.bindings }),
    ],
    [
      'GET',
      at('/workers/scripts/([\\w-]+)/subdomain'),
      'Workers Scripts:Read',
      (_call, name) => ({ enabled: script(name ?? '').onWorkersDev, previews_enabled: false }),
    ],
    [
      'POST',
      at('/workers/scripts/([\\w-]+)/subdomain'),
      'Workers Scripts:Edit',
      async ({ body }, name) => {
        const { enabled } = await body()
        script(name ?? '').onWorkersDev = enabled === true
        return { enabled, previews_enabled: false }
      },
    ],
    [
      'PUT',
      at('/workers/scripts/([\\w-]+)/schedules'),
      'Workers Scripts:Edit',
      async ({ body }, name) => {
        script(name ?? '').crons = ((await body()) as unknown as { cron: string }[]).map(({ cron }) => cron)
        return { schedules: [] }
      },
    ],
    [
      'PATCH',
      at('/workers/scripts/([\\w-]+)/script-settings'),
      'Workers Scripts:Edit',
      async ({ body }) => body(),
    ],
    ['GET', at('/workers/scripts/([\\w-]+)/script-settings'), 'Workers Scripts:Read', () => ({})],
    // Assets.
    [
      'POST',
      at('/workers/scripts/([\\w-]+)/assets-upload-session'),
      'Workers Scripts:Edit',
      async ({ body }, name) => {
        const { manifest } = (await body()) as { manifest: Record<string, { hash: string }> }
        const hashes = Object.values(manifest).map(({ hash }) => hash)
        state.sessions.set(`jwt-${name}`, hashes)
        return { jwt: `jwt-${name}`, buckets: [hashes] }
      },
    ],
    [
      'POST',
      at('/workers/assets/upload'),
      undefined,
      async () =>
        Response.json(
          { success: true, errors: [], messages: [], result: { jwt: 'uploaded' } },
          { status: 201 },
        ),
    ],
    [
      'PUT',
      at('/workers/scripts/([\\w-]+)'),
      'Workers Scripts:Edit',
      async ({ form }, name) => upload(state, name ?? '', await form()),
    ],
    [
      'POST',
      at('/workers/scripts/([\\w-]+)/versions'),
      'Workers Scripts:Edit',
      async ({ form }, name) => ({
        ...upload(state, name ?? '', await form()),
        resources: { script: { etag: 'e', handlers: ['fetch'] }, bindings: [], script_runtime: {} },
      }),
    ],
    ['POST', at('/workers/scripts/([\\w-]+)/deployments'), 'Workers Scripts:Edit', () => ({ id: 'd2' })],
  ]
}

/** Takes a Worker only when everything that it is bound to is there. */
function upload(state: CloudflareState, name: string, form: FormData): object {
  const metadata = JSON.parse(String(form.get('metadata'))) as Metadata
  const { bindings, limits } = metadata
  if (!form.has(metadata.main_module)) throw invalid('main_module')
  if (limits && state.plan === 'FREE')
    throw new ApiError(400, 100328, 'CPU limits are not supported for the Free plan.')
  for (const { type, service, queue_name, namespace_id } of bindings) {
    if (type === 'service' && !state.scripts.has(service ?? '') && service !== name)
      throw new ApiError(400, 10143, `Could not resolve service binding to ${service}`)
    if (type === 'queue' && !state.queues.has(queue_name ?? '')) throw notFound(`The queue ${queue_name}`)
    if (type === 'kv_namespace' && ![...state.namespaces.values()].includes(namespace_id ?? ''))
      throw new ApiError(400, 10041, `KV namespace ${namespace_id} not found`)
    if (type === 'ratelimit' && !/^[1-9]\d{0,9}$/.test(namespace_id ?? '')) throw invalid('namespace_id')
  }
  const secrets = bindings.flatMap((one) => (one.type === 'secret_text' ? [[one.name, one.text ?? '']] : []))
  const { onWorkersDev = false, crons = [] } = state.scripts.get(name) ?? {}
  state.scripts.set(name, { metadata, secrets: Object.fromEntries(secrets), onWorkersDev, crons })
  return {
    id: name,
    tag: 't',
    etag: 'e',
    startup_time_ms: 1,
    deployment_id: 'd1',
    has_assets: false,
    entry_point: metadata.main_module,
  }
}
