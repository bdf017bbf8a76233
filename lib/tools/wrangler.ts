import { createRequire } from 'node:module'
import { join } from 'node:path'
// Before wrangler, which also loads it.
import './miniflare.ts'

// Wrangler would print its configuration, and warn about secrets that the local platform supplies otherwise.
process.env.WRANGLER_LOG ??= 'error'
// An import would parse its 15 MB twice, once to learn that they are CommonJS.
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
  /** Route patterns, with an asterisk instead of the host. */
  routes: string[]
  vars: Record<string, string>
  requiredSecrets: string[]
  crons: string[]
  /** The names of the Workers in its service bindings. */
  services: string[]
  /** The classes of its own Durable Objects. */
  objects: string[]
  /** Whether a Worker is bound to its entrypoint Tools (lib/http/tools.ts). */
  hasTools: boolean
  options: ReturnType<typeof unstable_getMiniflareWorkerOptions>['workerOptions']
}

/** Reads wrangler.toml unchanged. @param config another folder's */
export const readRaw = (config = CONFIG_PATH): unknown => experimental_readRawConfig({ config }).rawConfig

/**
 * Reads every Worker of wrangler.toml, in order. Root is first: it gets all requests that match no other
 * route.
 * @param path another configuration instead, such as a deployment's
 */
export function readWorkers(path = CONFIG_PATH): WorkerConfig[] {
  const configs = readConfig(path).definedEnvironments.map((group) => ({
    group,
    config: readConfig(path, group),
  }))
  const bound = configs.flatMap(({ config }) => config.services ?? [])
  return configs.map(({ group, config }) => {
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
      hasTools: bound.some(({ service, entrypoint }) => service === config.name && entrypoint === 'Tools'),
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
  services?: { service: string; entrypoint?: string }[]
  durable_objects?: { bindings: { class_name: string; script_name?: string }[] }
  triggers: { crons?: string[] }
}

const readConfig = (config: string, env?: string): Config =>
  unstable_readConfig(env === undefined ? { config } : { config, env })
