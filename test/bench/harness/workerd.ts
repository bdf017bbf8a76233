import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { valuesOf } from '../../../lib/local/workers/options.ts'
import { readWorkers, type WorkerConfig } from '../../../lib/tools/wrangler.ts'
import { bindingsOf, NOBODY, nobodyScript, type Services } from './bindings.ts'
import { bundleForProduction } from './bundle.ts'
import { type Binding, capnpText, type Setup, type WorkerSetup } from './capnp.ts'
import { type Running, startWorkerdProcess } from './process.ts'
import { atEnd } from './stops.ts'

/** workerd and its configuration on disk, to be started as often as one likes. */
export type Prepared = {
  start(): Promise<Running & { origin: string }>
}

/**
 * Writes a setup to a folder of its own, which is deleted at the end. If a Worker is bound to one that does
 * not run in the setup, adds the Worker that represents it.
 */
export async function prepare({ workers, servers }: Setup): Promise<Prepared> {
  const isBound = workers.some(({ bindings }) =>
    Object.values(bindings).some((binding) => 'service' in binding && binding.service === NOBODY),
  )
  const setup = { servers, workers: isBound ? [...workers, nobody()] : workers }
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

/**
 * One of our Workers as wrangler.toml has it, in its production bundle.
 * @param settings vars and secrets by name; what is not given is as wrangler.toml has it
 */
export async function ourWorker(
  group: string,
  settings: Record<string, string>,
  services: Services,
): Promise<WorkerSetup> {
  const worker = configOf(group)
  const values = Object.entries(valuesOf(worker, settings)).map(([name, text]) => [name, { text }])
  return {
    name: group,
    script: await bundleForProduction(`functions/${group}/index.ts`),
    ...compatibilityOf(worker),
    bindings: { ...Object.fromEntries(values), ...bindingsOf(worker, services) },
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
  return {
    name,
    script: await bundleForProduction(main),
    ...compatibilityOf(workerConfigs()[0]),
    bindings,
    ...(outbound === undefined ? {} : { outbound }),
  }
}

const nobody = (): WorkerSetup => ({
  name: NOBODY,
  script: nobodyScript,
  ...compatibilityOf(workerConfigs()[0]),
  bindings: {},
})

let read: WorkerConfig[] | undefined

/** All Workers of wrangler.toml, which is read once. */
export function workerConfigs(): WorkerConfig[] {
  read ??= readWorkers()
  return read
}

/** One Worker of wrangler.toml. */
export function configOf(group: string): WorkerConfig {
  const worker = workerConfigs().find((one) => one.group === group)
  if (!worker) throw new Error(`wrangler.toml has no [env.${group}]`)
  return worker
}

/** Wrangler's published types are incomplete. */
type Options = { compatibilityDate?: string; compatibilityFlags?: string[] }

function compatibilityOf(worker: WorkerConfig | undefined) {
  const { compatibilityDate = '', compatibilityFlags = [] } = (worker?.options ?? {}) as Options
  return { compatibilityDate, compatibilityFlags }
}
