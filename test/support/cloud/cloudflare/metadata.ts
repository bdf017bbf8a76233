import type { ScriptUpdateParams } from 'cloudflare/resources/workers/scripts/scripts'
import { anyOf, count, fields, flag, like, listOf, maybe, oneOf, text } from '../published.ts'

type Published = ScriptUpdateParams.Metadata
type Kind = NonNullable<Published['bindings']>[number]
type Of<T extends string> = Omit<Extract<Kind, { type: T }>, 'name' | 'type'>

const ANY = {}
const NAME = { name: text }

/** A binding of one kind. */
const binding = <T extends Kind['type']>(type: T, of: Parameters<typeof fields<Of<T>>>[0]) =>
  fields<Of<T>>(of, { ...NAME, type: oneOf(type) })

/** The kinds of bindings that wrangler.toml has. */
const bindings = anyOf<unknown>(
  binding('assets', {}),
  binding('durable_object_namespace', {
    class_name: maybe(text),
    dispatch_namespace: maybe(text),
    environment: maybe(text),
    namespace_id: maybe(text),
    script_name: maybe(text),
  }),
  binding('inherit', { old_name: maybe(text), version_id: maybe(text) }),
  binding('kv_namespace', { namespace_id: like('^[0-9a-f]{32}$') }),
  binding('plain_text', { text: { type: 'string' } }),
  binding('queue', { queue_name: text }),
  binding('ratelimit', {
    namespace_id: like('^[1-9]\\d{0,9}$'),
    simple: fields<Extract<Kind, { type: 'ratelimit' }>['simple']>({
      limit: count,
      period: { enum: [10, 60] },
      mitigation_timeout: maybe(count),
    }),
  }),
  binding('secret_text', { text }),
  binding('service', { service: text, entrypoint: maybe(text), environment: maybe(text) }),
  binding('version_metadata', {}),
)

/** What a Worker's upload says beside its modules. */
export const metadata = fields<
  Pick<
    Published,
    | 'annotations'
    | 'assets'
    | 'compatibility_date'
    | 'compatibility_flags'
    | 'keep_assets'
    | 'keep_bindings'
    | 'limits'
    | 'main_module'
    | 'migrations'
    | 'observability'
  >
>(
  {
    annotations: maybe(
      fields<NonNullable<Published['annotations']>>({
        'workers/message': maybe(text),
        'workers/tag': maybe(text),
      }),
    ),
    assets: maybe(fields<NonNullable<Published['assets']>>({ config: maybe(ANY), jwt: maybe(text) })),
    compatibility_date: maybe(like('^\\d{4}-\\d\\d-\\d\\d$')),
    compatibility_flags: maybe(listOf(text)),
    keep_assets: maybe(flag),
    keep_bindings: maybe(listOf(text)),
    limits: maybe(
      fields<NonNullable<Published['limits']>>({ cpu_ms: maybe(count), subrequests: maybe(count) }),
    ),
    main_module: maybe(text),
    migrations: maybe({ type: 'object' }),
    observability: maybe({ type: 'object', required: ['enabled'] }),
  },
  // How a deployment is rolled out is wrangler's own.
  { bindings: listOf(bindings), code_update_strategy: { type: 'object' } },
)
