import { TOLD_BY } from '../../../lib/local/workers/options.ts'
import { NOBODY_CLASS } from '../../../lib/local/workers/platform-worker.ts'
import type { WorkerConfig } from '../../../lib/tools/wrangler.ts'
import type { Binding } from './capnp.ts'

/** Where bindings of our Workers lead, by the names of a setup's services. */
export type Services = {
  outbound: string
  kv: string
  /** Takes all messages; without it a queue is the service of its own name. */
  queue?: string
}

/** The Worker that represents each one that does not run in a setup. */
export const NOBODY = 'nobody'

/** A Worker that accepts calls to Workers that do not run, as on the local platform. */
export const nobodyScript = `import { WorkerEntrypoint } from 'cloudflare:workers'
${NOBODY_CLASS}
export default { fetch: () => new Response('nobody') }`

/** Options of a Worker that are not bindings, by wrangler's names. */
const NOT_BINDINGS = [
  'rootPath',
  'compatibilityDate',
  'compatibilityFlags',
  'modulesRules',
  'zone',
  'cronTriggers',
  'queueConsumers',
  // Vars, which stand with the secrets.
  'bindings',
]

/** What wrangler's reading says of a binding. */
type Declared = { queueName?: string; className?: string }

/** How each kind of binding is set up here. */
const KINDS: Record<string, (services: Services, name: string, declared: Declared) => Binding> = {
  ratelimits: () => ({ rateLimit: true }),
  kvNamespaces: ({ kv }) => ({ kv }),
  queueProducers: ({ queue }, _name, { queueName = '' }) => ({ queue: queue ?? queueName }),
  serviceBindings: (_services, name) =>
    name in TOLD_BY ? { service: NOBODY, entrypoint: 'Nobody' } : { service: NOBODY },
  durableObjects: (_services, _name, { className = '' }) => ({ object: className }),
}

/**
 * Returns a Worker's bindings, as wrangler.toml has them; other Workers are nobody.
 * @throws Error that names a kind of binding that is not known here
 */
export function bindingsOf({ group, options }: WorkerConfig, services: Services): Record<string, Binding> {
  const bindings: [string, Binding][] = []
  for (const [kind, declared] of Object.entries(options)) {
    if (NOT_BINDINGS.includes(kind) || isEmpty(declared)) continue
    const set = KINDS[kind]
    if (kind === 'assets') bindings.push([(declared as { binding: string }).binding, { service: NOBODY }])
    else if (!set) throw new Error(`test/bench/harness/bindings.ts does not know ${kind} (of ${group})`)
    else
      for (const [name, one] of Object.entries(declared as Record<string, Declared>))
        bindings.push([name, set(services, name, one)])
  }
  return Object.fromEntries(bindings)
}

/** Whether an option declares nothing: wrangler lists each kind that a Worker might have. */
const isEmpty = (declared: unknown): boolean =>
  declared === undefined ||
  (typeof declared === 'object' && Object.values(declared ?? {}).every((one) => isEmpty(one)))
