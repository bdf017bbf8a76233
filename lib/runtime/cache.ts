/**
 * Caches a loaded value in this isolate, so that many requests cost one call. Shares a value, never a
 * promise: a Worker must not wait for another request's I/O. A failed load is not cached.
 * @param seconds how long a value is returned
 */
export function cachedFor<T>(seconds: number) {
  let cached: { value: T; at: number } | undefined
  return async (now: Date, load: () => Promise<T>): Promise<T> => {
    const age = cached === undefined ? Number.POSITIVE_INFINITY : now.getTime() - cached.at
    if (cached !== undefined && age >= 0 && age < seconds * 1000) return cached.value
    const value = await load()
    cached = { value, at: now.getTime() }
    return value
  }
}

/**
 * Caches the loaded value of each text in this isolate. Shares values only, and caches no failed load.
 * @param seconds how long a value is returned
 * @param most the number of texts; above it the oldest is dropped
 */
export function cachedForEach<T>(seconds: number, most: number) {
  const cached = new Map<string, { value: T; at: number }>()
  return async (text: string, now: Date, load: () => Promise<T>): Promise<T> => {
    const known = cached.get(text)
    const age = known === undefined ? -1 : now.getTime() - known.at
    if (known !== undefined && age >= 0 && age < seconds * 1_000) return known.value
    const value = await load()
    cached.delete(text)
    const [oldest] = cached.keys()
    if (oldest !== undefined && cached.size >= most) cached.delete(oldest)
    cached.set(text, { value, at: now.getTime() })
    return value
  }
}

/**
 * Memoizes a function of a text in this isolate, such as the import of a key or the derivation of an address.
 * The value must never change. Shares values only, and caches no failure.
 * @param most the number of texts; above it the oldest is dropped
 */
export function memoized<T>(most: number, make: (text: string) => Promise<T>): (text: string) => Promise<T> {
  const cached = new Map<string, T>()
  return async (text) => {
    const known = cached.get(text)
    if (known !== undefined) return known
    const value = await make(text)
    const [oldest] = cached.keys()
    if (oldest !== undefined && cached.size >= most) cached.delete(oldest)
    cached.set(text, value)
    return value
  }
}
