import type { UploadCreateParams } from 'cloudflare/resources/workers/scripts/assets/upload'
import type { ScheduleUpdateParams } from 'cloudflare/resources/workers/scripts/schedules'
import type { ScriptDeleteParams, ScriptListParams } from 'cloudflare/resources/workers/scripts/scripts'
import type { SettingEditParams } from 'cloudflare/resources/workers/scripts/settings'
import type { SubdomainCreateParams } from 'cloudflare/resources/workers/scripts/subdomain'
import { fields, flag, listOf, maybe, oneOf, query, text } from '../published.ts'
import { ApiError, type Call, type CloudflareState, idOf, type Route, route, scriptOf } from './state.ts'
import { replaceScript } from './upload.ts'
import { EDIT, inherit, READ, SCRIPT, versionRoutes } from './versions.ts'

const bindingsOf = (state: CloudflareState, _call: Call<unknown>, name?: string) => ({
  bindings: scriptOf(state, name).metadata.bindings,
})

/** Workers: what is known of them. */
const reads: Route[] = [
  route({
    method: 'GET',
    path: '/workers/scripts',
    scope: READ,
    query: query<ScriptListParams>({ tags: text }),
    handle: ({ scripts }) =>
      [...scripts].map(([id, { migrationTag }]) => ({
        ...{ id, created_on: '2026-11-23T00:00:00Z' },
        ...(migrationTag === undefined ? {} : { migration_tag: migrationTag }),
      })),
  }),
  route({
    method: 'GET',
    path: '/workers/workers/{worker_id}',
    scope: READ,
    handle: (state, _call, name = '') => ({
      id: idOf(name),
      name,
      subdomain: { enabled: scriptOf(state, name).onWorkersDev, previews_enabled: false },
    }),
  }),
  route({
    method: 'GET',
    path: '/workers/services/{service_name}',
    scope: READ,
    isUnpublished: true,
    handle: (state, _call, name) => {
      const { migrationTag } = scriptOf(state, name)
      const script = { tag: 't', tags: [], last_deployed_from: 'wrangler', migration_tag: migrationTag }
      return { id: name, default_environment: { environment: 'production', script } }
    },
  }),
  route({
    method: 'GET',
    path: `${SCRIPT}/secrets`,
    scope: READ,
    handle: (state, _call, name) =>
      Object.keys(scriptOf(state, name).secrets).map((secret) => ({ name: secret, type: 'secret_text' })),
  }),
  route({ method: 'GET', path: `${SCRIPT}/settings`, scope: READ, handle: bindingsOf }),
  route({
    method: 'GET',
    path: `${SCRIPT}/bindings`,
    scope: READ,
    isUnpublished: true,
    handle: bindingsOf,
  }),
  route({
    method: 'GET',
    path: `${SCRIPT}/subdomain`,
    scope: READ,
    handle: (state, _call, name) => ({
      enabled: scriptOf(state, name).onWorkersDev,
      previews_enabled: false,
    }),
  }),
  route({ method: 'GET', path: `${SCRIPT}/script-settings`, scope: READ, handle: () => ({}) }),
]

type Files = Record<string, UploadCreateParams.Manifest>

/** Workers: what changes them. */
const changes: Route[] = [
  route<SubdomainCreateParams>({
    method: 'POST',
    path: `${SCRIPT}/subdomain`,
    scope: EDIT,
    body: fields<Omit<SubdomainCreateParams, 'account_id'>>({ enabled: flag, previews_enabled: maybe(flag) }),
    handle: (state, { body: { enabled } }, name) => {
      scriptOf(state, name).onWorkersDev = enabled
      return { enabled, previews_enabled: false }
    },
  }),
  route<ScheduleUpdateParams.Body[]>({
    method: 'PUT',
    path: `${SCRIPT}/schedules`,
    scope: EDIT,
    body: listOf(fields<ScheduleUpdateParams.Body>({ cron: text })),
    handle: (state, { body }, name) => {
      scriptOf(state, name).crons = body.map(({ cron }) => cron)
      return { schedules: [] }
    },
  }),
  route({
    method: 'PATCH',
    path: `${SCRIPT}/script-settings`,
    scope: EDIT,
    body: fields<Pick<SettingEditParams, 'logpush' | 'observability' | 'tags'>>({
      logpush: maybe(flag),
      observability: maybe({ type: 'object' }),
      tags: maybe(listOf(text)),
    }),
    handle: (_state, { body }) => body,
  }),
  route<{ manifest: Files }>({
    method: 'POST',
    path: `${SCRIPT}/assets-upload-session`,
    scope: EDIT,
    body: fields<Omit<UploadCreateParams, 'account_id'>>({ manifest: { type: 'object', minProperties: 1 } }),
    handle: ({ sessions }, { body: { manifest } }, name) => {
      const hashes = Object.values(manifest).map(({ hash }) => hash)
      sessions.set(`jwt-${name}`, hashes)
      return { jwt: `jwt-${name}`, buckets: [hashes] }
    },
  }),
  route({
    method: 'PUT',
    path: SCRIPT,
    scope: EDIT,
    // excludeScript is wrangler's own.
    query: { ...inherit, excludeScript: oneOf('true') },
    handle: async (state, { form }, name = '') => replaceScript(state, name, await form()),
  }),
]

/** Workers that are bound to one, or have a binding to its Durable Objects. */
const boundTo = ({ scripts }: CloudflareState, name: string): string[] =>
  [...scripts].flatMap(([other, { metadata }]) =>
    other !== name && metadata.bindings.some((one) => one.service === name || one.script_name === name)
      ? [other]
      : [],
  )

const removal: Route = route({
  method: 'DELETE',
  path: SCRIPT,
  scope: EDIT,
  query: query<ScriptDeleteParams>({ force: oneOf('true', 'false') }),
  handle: (state, { query }, name = '') => {
    scriptOf(state, name)
    const isForced = query.get('force') === 'true'
    // As github.com/cloudflare/workers-sdk/issues/3370 shows it.
    const consumed = [...state.queues.values()].some(({ consumers }) =>
      consumers.some((one) => one.script_name === name),
    )
    if (consumed && !isForced) throw new ApiError(400, 10064, 'script still in use as a consumer for a queue')
    // That it is refused is published (scripts.d.ts, ScriptDeleteParams); by which code is not.
    const [user] = boundTo(state, name)
    if (user !== undefined && !isForced)
      throw new ApiError(400, 10021, `${name} is still referenced by ${user}`)
    state.scripts.delete(name)
    return null
  },
})

export const scriptRoutes: Route[] = [...reads, ...changes, removal, ...versionRoutes]
