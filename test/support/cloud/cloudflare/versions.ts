import type { DeploymentCreateParams } from 'cloudflare/resources/workers/scripts/deployments'
import type { ScriptUpdateParams } from 'cloudflare/resources/workers/scripts/scripts'
import type { VersionListParams } from 'cloudflare/resources/workers/scripts/versions'
import { count, fields, listOf, maybe, oneOf, query, text } from '../published.ts'
import {
  ApiError,
  type CloudflareState,
  invalid,
  notFound,
  type Route,
  route,
  type Script,
  scriptOf,
  type Version,
} from './state.ts'
import { addVersion } from './upload.ts'

export const SCRIPT = '/workers/scripts/{script_name}'
export const READ = 'Workers Scripts:Read'
export const EDIT = 'Workers Scripts:Edit'
export const inherit = query<ScriptUpdateParams>({ bindings_inherit: oneOf('strict') })

/** When everything was made, and how. */
const MADE = { created_on: '2026-11-23T00:00:00Z', source: 'wrangler' }

/** Of each Worker as many versions are listed, the newest first. */
const LISTED = 10

/** Versions are eventually consistent: an upload may be missing for a while. */
function listedOf(state: CloudflareState, name?: string): Version[] {
  const { versions } = scriptOf(state, name)
  if (state.listsLate === 0 || versions.length < 2) return versions
  state.listsLate -= 1
  return versions.slice(1)
}

/**
 * The secrets that have changed since a version: it is older than the deployed one. wrangler
 * reads these names of the message of 10220 in its rollback, and asks for `force` then.
 */
function changedSince({ versions, shares }: Script, id: string): string[] {
  const ageOf = (one: string) => versions.findIndex((version) => version.id === one)
  const newest = Math.min(...shares.map(({ version_id }) => ageOf(version_id)))
  if (ageOf(id) <= newest) return []
  const [now, then] = [versions[newest]?.secrets ?? {}, versions[ageOf(id)]?.secrets ?? {}]
  return Object.keys({ ...now, ...then }).filter((name) => now[name] !== then[name])
}

const versionOf = ({ versions }: Script, id: string) => {
  const found = versions.find((one) => one.id === id)
  if (!found) throw notFound(`The version ${id}`)
  return found
}

type Deployment = Pick<DeploymentCreateParams, 'strategy' | 'versions' | 'annotations'>

/** Versions of Workers, and which of them get requests. */
export const versionRoutes: Route[] = [
  route({
    method: 'GET',
    path: `${SCRIPT}/deployments`,
    scope: READ,
    handle: (state, _call, name) => {
      const one = { id: 'd1', strategy: 'percentage', author_email: '', annotations: {}, ...MADE }
      return { deployments: [{ ...one, versions: scriptOf(state, name).shares }] }
    },
  }),
  route({
    method: 'GET',
    path: `${SCRIPT}/versions`,
    scope: READ,
    query: query<VersionListParams>({ deployable: oneOf('true') }),
    handle: (state, _call, name) => ({
      items: listedOf(state, name)
        .slice(0, LISTED)
        .map(({ id, metadata: { annotations = {} } }, i) => ({ id, number: i, metadata: MADE, annotations })),
    }),
  }),
  route({
    method: 'GET',
    path: `${SCRIPT}/versions/{version_id}`,
    scope: READ,
    handle: (state, _call, name, id = '') => {
      const { metadata } = versionOf(scriptOf(state, name), id)
      const script = { etag: 'e', handlers: ['fetch'], last_deployed_from: 'wrangler' }
      return { id, resources: { bindings: metadata.bindings, script, script_runtime: {} }, metadata: MADE }
    },
  }),
  route({
    method: 'POST',
    path: `${SCRIPT}/versions`,
    scope: EDIT,
    query: inherit,
    handle: async (state, { form }, name = '') => addVersion(state, name, await form()),
  }),
  route<Deployment>({
    method: 'POST',
    path: `${SCRIPT}/deployments`,
    scope: EDIT,
    query: query<DeploymentCreateParams>({ force: oneOf('true') }),
    body: fields<Deployment>(
      {
        strategy: oneOf('percentage'),
        versions: listOf(fields<DeploymentCreateParams.Version>({ version_id: text, percentage: count })),
        annotations: maybe({ type: 'object' }),
      },
      { code_update_strategy: { type: 'object' } },
    ),
    handle: (state, { query, body: { versions } }, name) => {
      const script = scriptOf(state, name)
      const sum = versions.reduce((sum, { percentage }) => sum + percentage, 0)
      // No code of it is published.
      if (sum !== 100 || versions.length > 2)
        throw invalid('The percentages of at most two versions must add up to 100.')
      const changed = versions.flatMap(({ version_id }) => changedSince(script, version_id))
      if (changed.length > 0 && !query.has('force'))
        throw new ApiError(400, 10220, `The following secrets have changed: ${changed.join(', ')}`)
      for (const { version_id } of versions)
        if (versionOf(script, version_id).migrationTag !== script.migrationTag)
          throw new ApiError(400, 10212, 'A Durable Object migration has occurred since that version.')
      const [main] = versions.toSorted((a, b) => b.percentage - a.percentage)
      const { metadata, secrets } = versionOf(script, main?.version_id ?? '')
      Object.assign(script, { shares: versions, metadata, secrets })
      return { id: 'd2' }
    },
  }),
]
