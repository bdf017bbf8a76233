/** The systems that a request may call: the database, the RPC node, KV, queues, another Worker. */
export type Dependency = 'sql' | 'rpc' | 'kv' | 'queue' | 'worker'

/** Counts the calls of one request to other systems, each attempt by itself. */
export type SubrequestCounter = {
  count(dependency: Dependency): void
  /** The counts so far; a system that was not called is left out. */
  counts(): Partial<Record<Dependency, number>>
}

/** Makes a counter at zero, for one request: no state is shared between requests. */
export function createSubrequestCounter(): SubrequestCounter {
  const counts: Partial<Record<Dependency, number>> = {}
  return {
    count(dependency) {
      counts[dependency] = (counts[dependency] ?? 0) + 1
    },
    counts: () => ({ ...counts }),
  }
}

/** Wraps a binding (a KV namespace, a queue) so that every method call is counted. */
export const countCalls = <Binding extends object>(
  binding: Binding,
  dependency: Dependency,
  subrequests: SubrequestCounter,
): Binding =>
  new Proxy(binding, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => {
        subrequests.count(dependency)
        // The runtime's methods refuse to be called on the proxy.
        return member.apply(target, args)
      }
    },
  })
