import type { UploadCreateParams } from 'cloudflare/resources/workers/scripts/assets/upload'
import type { DeploymentCreateParams } from 'cloudflare/resources/workers/scripts/deployments'
import type { ScheduleUpdateParams } from 'cloudflare/resources/workers/scripts/schedules'
import type { ScriptListParams, ScriptUpdateParams } from 'cloudflare/resources/workers/scripts/scripts'
import type { SettingEditParams } from 'cloudflare/resources/workers/scripts/settings'
import type { SubdomainCreateParams } from 'cloudflare/resources/workers/scripts/subdomain'
import { count, fields, flag, listOf, maybe, oneOf, query, text } from '../published.ts'
import { type Call, type CloudflareState, idOf, type Route, route, scriptOf } from './state.ts'
import { upload } from './upload.ts'

const SCRIPT = '/workers/scripts/{script_name}'
const READ = 'Workers Scripts:Read'
const EDIT = 'Workers Scripts:Edit'
const inherit = query<ScriptUpdateParams>({ bindings_inherit: oneOf('strict') })

const bindingsOf = (state: CloudflareState, _call: Call<unknown>, name?: string) => ({
  bindings: scriptOf(state, name).metadata.bindings,
})

const version = (id: string, percentage: number) => ({ version_id: id, percentage })

/** Workers: what is known of them. */
const reads: Route[] = [
  route({
    method: 'GET',
    path: '/workers/scripts',
    scope: READ,
    query: query<ScriptListParams>({ tags: text }),
    handle: ({ scripts }) => [...scripts.keys()].map((id) => ({ id, created_on: '2026-11-23T00:00:00Z' })),
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
      scriptOf(state, name)
      const script = { tag: 't', tags: [], last_deployed_from: 'wrangler', migration_tag: 'v1' }
      return { id: name, default_environment: { environment: 'production', script } }
    },
  }),
  route({
    method: 'GET',
    path: `${SCRIPT}/deployments`,
    scope: READ,
    handle: (state, _call, name) => {
      scriptOf(state, name)
      const one = { id: 'd1', strategy: 'percentage', author_email: '', annotations: {} }
      return { deployments: [{ ...one, versions: [version('v1', 100)] }] }
    },
  }),
  route({
    method: 'GET',
    path: `${SCRIPT}/versions/{version_id}`,
    scope: READ,
    handle: (state, call, name) => ({
      id: 'v1',
      resources: {
        ...bindingsOf(state, call, name),
        script: { etag: 'e', handlers: ['fetch'], last_deployed_from: 'wrangler' },
        script_runtime: {},
      },
      metadata: {},
    }),
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
    handle: async (state, { form }, name = '') => upload(state, name, await form()),
  }),
  route({
    method: 'POST',
    path: `${SCRIPT}/versions`,
    scope: EDIT,
    query: inherit,
    handle: async (state, { form }, name = '') => ({
      ...upload(state, name, await form()),
      resources: { script: { etag: 'e', handlers: ['fetch'] }, bindings: [], script_runtime: {} },
    }),
  }),
  route({
    method: 'POST',
    path: `${SCRIPT}/deployments`,
    scope: EDIT,
    body: fields<Pick<DeploymentCreateParams, 'strategy' | 'versions' | 'annotations'>>(
      {
        strategy: oneOf('percentage'),
        versions: listOf(fields<DeploymentCreateParams.Version>({ version_id: text, percentage: count })),
        annotations: maybe({ type: 'object' }),
      },
      { code_update_strategy: { type: 'object' } },
    ),
    handle: () => ({ id: 'd2' }),
  }),
]

export const scriptRoutes: Route[] = [...reads, ...changes]
