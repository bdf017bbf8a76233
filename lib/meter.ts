/** The systems that a request may ask: the database, the RPC node, KV, queues. */
export type Dependency = 'sql' | 'rpc' | 'kv' | 'queue'

/** Counts what one request asks of other systems, each attempt by itself. */
export type Meter = {
  count(dependency: Dependency): void
  /** So far; what was never asked is left out. */
  counts(): Partial<Record<Dependency, number>>
}

/** A meter at zero. Made for each request and handed down: no state is shared between requests. */
export function createMeter(): Meter {
  const counts: Partial<Record<Dependency, number>> = {}
  return {
    count(dependency) {
      counts[dependency] = (counts[dependency] ?? 0) + 1
    },
    counts: () => ({ ...counts }),
  }
}

/** A binding (a KV namespace, a queue) of which every method call is counted. */
export const metered = <Binding extends object>(
  binding: Binding,
  dependency: Dependency,
  meter: Meter,
): Binding =>
  new Proxy(binding, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => {
        meter.count(dependency)
        // The runtime's methods refuse to be called on the proxy.
        return member.apply(target, args)
      }
    },
  })
