import { createRequire } from 'node:module'
import { join } from 'node:path'
// Before wrangler, which loads it, too.
import './miniflare.ts'

// Wrangler would print what it reads, and warn of secrets that the local platform gives in its own way.
process.env.WRANGLER_LOG ??= 'error'
// Imported, its 15 MB would be parsed twice: once to learn that they are CommonJS.
const wrangler: typeof import('wrangler') = createRequire(import.meta.url)('wrangler')
const { experimental_readRawConfig, unstable_getMiniflareWorkerOptions, unstable_readConfig } = wrangler

const CONFIG_PATH = join(import.meta.dirname, '../../wrangler.toml')

/** One Worker of wrangler.toml. */
export type WorkerConfig = {
  /** The group: the name of its [env] block. */
  group: string
  /** Its name on Cloudflare, which other Workers' service bindings use. */
  name: string
  /** Absolute path of its entry module. */
  main: string
  /** Route patterns, their host replaced by an asterisk. */
  routes: string[]
  vars: Record<string, string>
  requiredSecrets: string[]
  crons: string[]
  /** The names of the Workers in its service bindings. */
  services: string[]
  /** The classes of its own Durable Objects. */
  objects: string[]
  options: ReturnType<typeof unstable_getMiniflareWorkerOptions>['workerOptions']
}

/** wrangler.toml as it stands. @param config another folder's */
export const readRaw = (config = CONFIG_PATH): unknown => experimental_readRawConfig({ config }).rawConfig

/**
 * Reads every Worker that wrangler.toml declares, in its order (root first: it gets what matches no other
 * route).
 * @param path another configuration to read instead: a deployment's
 */
export function readWorkers(path = CONFIG_PATH): WorkerConfig[] {
  return readConfig(path).definedEnvironments.map((group) => {
    const config = readConfig(path, group)
    const { workerOptions, main } = unstable_getMiniflareWorkerOptions(path, group)
    if (main === undefined) throw new Error(`wrangler.toml: [env.${group}] has no main`)
    return {
      group,
      name: config.name,
      main,
      routes: (config.routes ?? []).map(({ pattern }) => pattern.replace(/^[^/]+/, '*')),
      vars: config.vars,
      requiredSecrets: config.secrets?.required ?? [],
      crons: config.triggers.crons ?? [],
      services: (config.services ?? []).map(({ service }) => service),
      objects: (config.durable_objects?.bindings ?? []).flatMap(({ class_name, script_name }) =>
        script_name === undefined ? [class_name] : [],
      ),
      options: workerOptions,
    }
  })
}

/**
 * The parts of wrangler's normalized configuration that this project uses; its published types are
 * incomplete.
 */
type Config = {
  definedEnvironments: string[]
  name: string
  routes?: { pattern: string }[]
  vars: Record<string, string>
  secrets?: { required?: string[] }
  services?: { service: string }[]
  durable_objects?: { bindings: { class_name: string; script_name?: string }[] }
  triggers: { crons?: string[] }
}

const readConfig = (config: string, env?: string): Config =>
  unstable_readConfig(env === undefined ? { config } : { config, env })
