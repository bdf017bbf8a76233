import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readWorkers, type WorkerConfig } from '../../../lib/tools/wrangler.ts'
import { bundleForProduction } from './bundle.ts'
import { type Binding, capnpText, type Setup, type WorkerSetup } from './capnp.ts'
import { type Running, startWorkerdProcess } from './process.ts'
import { atEnd } from './stops.ts'

/** workerd and its configuration on disk, to be started as often as one likes. */
export type Prepared = {
  start(): Promise<Running & { origin: string }>
}

/** Writes a setup to a folder of its own, which is deleted at the end. */
export async function prepare(setup: Setup): Promise<Prepared> {
  const folder = await mkdtemp(join(tmpdir(), 'agentcred-bench-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const config = join(folder, 'config.capnp')
  await writeFile(config, capnpText(setup))
  for (const { name, script } of setup.workers) await writeFile(join(folder, `${name}.js`), script)
  return {
    start: async () => {
      const running = await startWorkerdProcess(workerdBinary(), config)
      return { ...running, origin: `http://127.0.0.1:${running.port}` }
    },
  }
}

/** The workerd that Miniflare runs, too. */
function workerdBinary(): string {
  const { default: path } = createRequire(createRequire(import.meta.url).resolve('miniflare'))('workerd') as {
    default: string
  }
  return path
}

/** Where the bindings of our Workers lead: names of services of the setup. */
type Services = { outbound: string; kv: string; queue: string; loneQueue?: string; empty: string }

/**
 * One of our Workers as wrangler.toml has it, in its production bundle.
 * @param settings vars and secrets by name; what is not given is as wrangler.toml has it
 */
export async function ourWorker(
  group: string,
  settings: Record<string, string>,
  services: Services,
): Promise<WorkerSetup> {
  const worker = readWorkers().find((one) => one.group === group)
  if (!worker) throw new Error(`wrangler.toml has no [env.${group}]`)
  return {
    name: group,
    script: await bundleForProduction(`functions/${group}/index.ts`),
    ...compatibilityOf(worker),
    bindings: { ...valuesOf(worker, settings), ...bindingsOf(worker, services) },
    outbound: services.outbound,
  }
}

/** A Worker of the benchmark's own, in the same runtime settings as ours. */
export async function plainWorker(
  name: string,
  main: string,
  bindings: Record<string, Binding> = {},
  outbound?: string,
): Promise<WorkerSetup> {
  const [first] = readWorkers()
  return {
    name,
    script: await bundleForProduction(main),
    ...compatibilityOf(first),
    bindings,
    ...(outbound === undefined ? {} : { outbound }),
  }
}

function valuesOf(worker: WorkerConfig, settings: Record<string, string>): Record<string, Binding> {
  const names = [...Object.keys(worker.vars), ...worker.requiredSecrets]
  const values: Record<string, string> = { ...worker.vars, ...settings }
  return Object.fromEntries(names.map((name) => [name, { text: values[name] ?? '' }]))
}

/** What is used here of wrangler's reading of a Worker; its published types are incomplete. */
type Options = {
  compatibilityDate?: string
  compatibilityFlags?: string[]
  ratelimits?: object
  kvNamespaces?: object
  queueProducers?: object
  serviceBindings?: object
  assets?: { binding?: string }
}

function compatibilityOf(worker: WorkerConfig | undefined) {
  const { compatibilityDate = '', compatibilityFlags = [] } = (worker?.options ?? {}) as Options
  return { compatibilityDate, compatibilityFlags }
}

function bindingsOf(worker: WorkerConfig, services: Services): Record<string, Binding> {
  const options = worker.options as Options
  const each = (bindings: object | undefined, binding: Binding) =>
    Object.keys(bindings ?? {}).map((name) => [name, binding] as const)
  const other: Binding = { service: services.empty }
  return Object.fromEntries([
    ...each(options.ratelimits, { rateLimit: true }),
    ...each(options.kvNamespaces, { kv: services.kv }),
    ...each(options.queueProducers, { queue: services.queue }),
    // A later entry stands.
    ...(services.loneQueue && 'LONE_DELIVERIES' in (options.queueProducers ?? {})
      ? [['LONE_DELIVERIES', { queue: services.loneQueue }] as const]
      : []),
    ...each(options.serviceBindings, other),
    ...(options.assets?.binding ? [[options.assets.binding, other] as const] : []),
  ])
}
