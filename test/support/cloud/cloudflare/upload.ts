import { fits } from '../../json-schema.ts'
import { metadata as published } from './metadata.ts'
import { ApiError, type CloudflareState, invalid, type Metadata, Misfit, notFound } from './state.ts'

/** Takes a Worker only when everything that it is bound to is there. */
export function upload(state: CloudflareState, name: string, form: FormData): object {
  const metadata = JSON.parse(String(form.get('metadata'))) as Metadata
  if (!fits(published, metadata)) throw new Misfit(`the metadata of ${name} do not fit: ${faulty(metadata)}`)
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

/** The fields that do not fit. No value is repeated: secrets are among them. */
const faulty = (metadata: Metadata): string => {
  const { properties } = published as unknown as { properties: Record<string, Record<string, unknown>> }
  return Object.entries(metadata)
    .filter(([name, value]) => !fits(properties[name] ?? false, value))
    .map(([name]) => name)
    .join(', ')
}
