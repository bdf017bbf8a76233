/** A binding of a Worker in workerd's configuration. */
export type Binding =
  | { text: string }
  | { kv: string }
  | { queue: string }
  | { service: string; entrypoint?: string }
  /** A Durable Object's class, which the Worker exports. */
  | { object: string }
  | { rateLimit: true }

/** A Worker in workerd's configuration. */
export type WorkerSetup = {
  name: string
  script: string
  compatibilityDate: string
  compatibilityFlags: string[]
  bindings: Record<string, Binding>
  /** The service that gets its outgoing requests. */
  outbound?: string
}

/** What runs in one workerd: the first Worker gets what reaches its socket. */
export type Setup = {
  workers: WorkerSetup[]
  /** Servers on this machine, by name: host and port. */
  servers: Record<string, string>
}

/** Stands for a rate limit that nobody reaches. */
const RATE_LIMIT = 'bench:rate-limit'

/** Writes workerd's configuration (workerd.capnp); each script is embedded from `<name>.js` beside it. */
export function capnpText({ workers, servers }: Setup): string {
  const [first] = workers
  if (!first) throw new Error('no Worker')
  const services = [
    ...workers.map(({ name }) => `(name = ${text(name)}, worker = .${identifier(name)})`),
    ...Object.entries(servers).map(
      ([name, address]) => `(name = ${text(name)}, external = (address = ${text(address)}, http = ()))`,
    ),
  ]
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [${services.join(',\n    ')}],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = ${text(first.name)})],
  extensions = [(modules = [(name = "${RATE_LIMIT}", internal = true,
    esModule = "export default () => ({ limit: async () => ({ success: true }) })")])]
);
${workers.map(workerText).join('\n')}`
}

function workerText(worker: WorkerSetup): string {
  const objects = Object.values(worker.bindings).flatMap((binding) =>
    'object' in binding
      ? `(className = ${text(binding.object)}, uniqueKey = ${text(binding.object)}, enableSql = true)`
      : [],
  )
  const storage =
    objects.length === 0
      ? ''
      : `,\n  durableObjectNamespaces = [${objects.join(', ')}],\n  durableObjectStorage = (inMemory = void)`
  const bindings = Object.entries(worker.bindings).map(
    ([name, binding]) => `(name = ${text(name)}, ${bindingText(binding)})`,
  )
  const outbound = worker.outbound === undefined ? '' : `,\n  globalOutbound = ${text(worker.outbound)}`
  return `const ${identifier(worker.name)} :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "${worker.name}.js")],
  compatibilityDate = ${text(worker.compatibilityDate)},
  compatibilityFlags = [${worker.compatibilityFlags.map(text).join(', ')}],
  bindings = [${bindings.join(',\n    ')}]${outbound}${storage}
);`
}

function bindingText(binding: Binding): string {
  if ('text' in binding) return `text = ${text(binding.text)}`
  if ('kv' in binding) return `kvNamespace = ${text(binding.kv)}`
  if ('queue' in binding) return `queue = ${text(binding.queue)}`
  if ('object' in binding) return `durableObjectNamespace = ${text(binding.object)}`
  if ('service' in binding) {
    const { service, entrypoint } = binding
    if (entrypoint === undefined) return `service = ${text(service)}`
    return `service = (name = ${text(service)}, entrypoint = ${text(entrypoint)})`
  }
  return `wrapped = (moduleName = "${RATE_LIMIT}")`
}

const text = (value: string): string => JSON.stringify(value)

/** Names in Cap'n Proto begin with a small letter and have no hyphens. */
const identifier = (name: string): string => `worker${name.replace(/[^a-z0-9]/gi, 'X')}`
