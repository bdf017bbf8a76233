import { join } from 'node:path'
import { gatewayOf, healthBindingsOf, pathsOf } from '../../lib/cli/deploy/config.ts'
import { BUILT_FOLDER, type BuiltWorker } from '../../lib/local/build.ts'
import { TOLD_BY } from '../../lib/local/workers/options.ts'
import { buildAssets } from '../../lib/tools/description/assets.ts'

/** Returns the Workers of some groups, and the Workers that they are bound to, in their order. */
export function boundTo(all: BuiltWorker[], groups?: string[]): BuiltWorker[] {
  if (groups === undefined) return all
  const chosen = new Set<BuiltWorker>()
  const choose = (worker: BuiltWorker) => {
    if (chosen.has(worker)) return
    chosen.add(worker)
    // Without the jobs and the live Workers, calls to them have no effect.
    const services = Object.entries(worker.options.serviceBindings ?? {})
    const names = services.flatMap(([binding, service]) => (binding in TOLD_BY ? [] : [nameOf(service)]))
    for (const other of all) if (names.includes(other.name)) choose(other)
  }
  for (const worker of all) if (groups.includes(worker.group)) choose(worker)
  return all.filter((worker) => chosen.has(worker))
}

const nameOf = (service: unknown): unknown =>
  typeof service === 'object' && service !== null && 'name' in service ? service.name : service

/**
 * The same Workers in the topology "gateway": only root has a route, and reaches the others by binding. As in
 * a deployment every Worker knows its version, and root asks the others how they are.
 */
export function behindGateway(workers: BuiltWorker[]): BuiltWorker[] {
  const { table, services } = gatewayOf(
    workers.map(({ group, name, routes }) => [
      group,
      { name, routes: routes.map((pattern) => ({ pattern })) },
    ]),
  )
  return workers.map((worker) => {
    const versioned = { ...worker, options: { ...worker.options, versionMetadata: 'VERSION' } }
    if (worker.group !== 'root') return { ...versioned, routes: [] }
    const health = healthBindingsOf(workers.map(({ group, name }) => [group, { name }]))
    const bindings = [...services, ...health].map(({ binding, service: name, entrypoint }) => [
      binding,
      entrypoint === undefined ? name : { name, entrypoint },
    ])
    const own = Object.entries(worker.options.serviceBindings ?? {})
    const serviceBindings = Object.fromEntries([...own, ...bindings])
    return {
      ...versioned,
      vars: { ...worker.vars, GATEWAY: table },
      options: { ...versioned.options, serviceBindings },
    }
  })
}

/** The Workers of a deployment that does without some, as of Solana. */
export function without(groups: readonly string[], workers: BuiltWorker[]): BuiltWorker[] {
  const left = workers.filter(({ group }) => groups.includes(group))
  const names = left.map(({ name }) => name)
  const env = left.map(({ group, name, main, routes }) => [
    group,
    { name, main, routes: routes.map((pattern) => ({ pattern })) },
  ])
  const paths = pathsOf({ name: '', env: Object.fromEntries(env) }, groups)
  const directory = join(BUILT_FOLDER, `assets-without-${groups.join('-')}`)
  buildAssets(directory, paths)
  return workers
    .filter((worker) => !left.includes(worker))
    .map((worker) => ({
      ...worker,
      vars: 'NOT_OFFERED' in worker.vars ? { ...worker.vars, NOT_OFFERED: paths.join(' ') } : worker.vars,
      requiredSecrets: worker.requiredSecrets.filter(
        (name) => name !== 'SOLANA_RPC_URL' || !groups.includes('vault'),
      ),
      options: {
        ...worker.options,
        ...(worker.group === 'root' && { assets: Object.assign({}, worker.options.assets, { directory }) }),
        serviceBindings: Object.fromEntries(
          Object.entries(worker.options.serviceBindings ?? {}).filter(
            ([, service]) => !names.some((name) => name === nameOf(service)),
          ),
        ),
      },
    }))
}
