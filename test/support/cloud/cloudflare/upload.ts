import { randomUUID } from 'node:crypto'
import { fits } from '../../json-schema.ts'
import { metadata as published } from './metadata.ts'
import {
  ApiError,
  type CloudflareState,
  invalid,
  type Metadata,
  Misfit,
  notFound,
  scriptOf,
  type Version,
} from './state.ts'

/** Reads what was uploaded, and takes it only when everything that it is bound to is there. */
function versionFrom(state: CloudflareState, name: string, form: FormData): Version {
  const metadata = JSON.parse(String(form.get('metadata'))) as Metadata
  if (!fits(published, metadata)) throw new Misfit(`the metadata of ${name} do not fit: ${faulty(metadata)}`)
  const { bindings, limits, migrations } = metadata
  if (!form.has(metadata.main_module)) throw invalid('main_module')
  if (limits && state.plan === 'FREE')
    throw new ApiError(400, 100328, 'CPU limits are not supported for the Free plan.')
  for (const { type, service, queue_name, namespace_id } of bindings) {
    if (type === 'service' && !state.scripts.has(service ?? '') && service !== name)
      throw new ApiError(400, 10143, `Could not resolve service binding to ${service}`)
    if (type === 'queue' && !state.queues.has(queue_name ?? '')) throw notFound(`The queue ${queue_name}`)
    if (type === 'kv_namespace' && ![...state.namespaces.values()].includes(namespace_id ?? ''))
      throw new ApiError(400, 10041, `KV namespace ${namespace_id} not found`)
  }
  const secrets = bindings.flatMap((one) => (one.type === 'secret_text' ? [[one.name, one.text ?? '']] : []))
  const migrationTag = migrations?.new_tag ?? state.scripts.get(name)?.migrationTag
  return { id: randomUUID(), metadata, secrets: Object.fromEntries(secrets), migrationTag }
}

/** The classes of Durable Objects of a Worker once a version is there, which must export them. */
async function classesOf(state: CloudflareState, name: string, { metadata }: Version, form: FormData) {
  const { main_module, migrations } = metadata
  const steps = migrations ? [migrations, ...(migrations.steps ?? [])] : []
  const added = steps.flatMap(({ new_classes = [], new_sqlite_classes = [] }) => [
    ...new_classes,
    ...new_sqlite_classes,
  ])
  const classes = [...(state.scripts.get(name)?.classes ?? []), ...added]
  const text = await (form.get(main_module) as Blob).text()
  const exported = [...text.matchAll(/export\s*\{([^}]*)\}/g)].flatMap(([, list = '']) =>
    list.split(',').map(
      (one) =>
        one
          .trim()
          .split(/\s+as\s+/)
          .at(-1) ?? '',
    ),
  )
  for (const one of classes)
    if (!exported.includes(one))
      throw new ApiError(
        403,
        10064,
        `New version of script does not export class '${one}' which is depended on by existing Durable Objects.`,
      )
  return classes
}

const view = ({ id, metadata }: Version) => ({
  ...{ id, tag: 't', etag: 'e', startup_time_ms: 1, has_assets: false },
  entry_point: metadata.main_module,
  metadata: { has_preview: false },
  resources: { script: { etag: 'e', handlers: ['fetch'] }, bindings: [], script_runtime: {} },
})

/** Makes a Worker, or replaces what runs at once. */
export async function replaceScript(state: CloudflareState, name: string, form: FormData): Promise<object> {
  const version = versionFrom(state, name, form)
  const classes = await classesOf(state, name, version, form)
  const { onWorkersDev = false, crons = [], versions = [] } = state.scripts.get(name) ?? {}
  const { id, metadata, secrets, migrationTag } = version
  state.scripts.set(name, {
    ...{ metadata, secrets, onWorkersDev, crons, migrationTag, classes },
    versions: [version, ...versions],
    shares: [{ version_id: id, percentage: 100 }],
  })
  return { ...view(version), id: name, deployment_id: id }
}

/** Takes a version that gets no requests yet. */
export async function addVersion(state: CloudflareState, name: string, form: FormData): Promise<object> {
  const { versions } = scriptOf(state, name)
  const version = versionFrom(state, name, form)
  if (version.metadata.migrations)
    throw new ApiError(400, 10211, 'Version upload failed: migrations must be fully applied by a deployment.')
  await classesOf(state, name, version, form)
  versions.unshift(version)
  return view(version)
}

/** Returns the fields that do not fit, without their values: some are secrets. */
const faulty = (metadata: Metadata): string => {
  const { properties } = published as unknown as { properties: Record<string, Record<string, unknown>> }
  return Object.entries(metadata)
    .filter(([name, value]) => !fits(properties[name] ?? false, value))
    .map(([name]) => name)
    .join(', ')
}
