/**
 * Keeps a loaded value in this isolate for some seconds, so that many requests cost one call. Only a value is
 * shared, never a promise: a Worker must not wait for another request's I/O. What fails is not kept.
 */
export function cachedFor<T>(seconds: number) {
  let kept: { value: T; at: number } | undefined
  return async (now: Date, load: () => Promise<T>): Promise<T> => {
    const age = kept === undefined ? Number.POSITIVE_INFINITY : now.getTime() - kept.at
    if (kept !== undefined && age >= 0 && age < seconds * 1000) return kept.value
    const value = await load()
    kept = { value, at: now.getTime() }
    return value
  }
}

/**
 * Keeps the loaded value of each text in this isolate for some seconds; of more than `most` texts the
 * oldest is forgotten. As above, only values are shared, and what fails is not kept.
 */
export function cachedForEach<T>(seconds: number, most: number) {
  const kept = new Map<string, { value: T; at: number }>()
  return async (text: string, now: Date, load: () => Promise<T>): Promise<T> => {
    const known = kept.get(text)
    const age = known === undefined ? -1 : now.getTime() - known.at
    if (known !== undefined && age >= 0 && age < seconds * 1_000) return known.value
    const value = await load()
    kept.delete(text)
    const [oldest] = kept.keys()
    if (oldest !== undefined && kept.size >= most) kept.delete(oldest)
    kept.set(text, { value, at: now.getTime() })
    return value
  }
}

/**
 * Keeps the value made of a text in this isolate, such as a key that is imported or an address that is
 * derived. It must be the same at any time, since it is never made anew; of more than `most` texts the oldest
 * is forgotten. As above, only values are shared, and what fails is not kept.
 */
export function memoized<T>(most: number, make: (text: string) => Promise<T>): (text: string) => Promise<T> {
  const kept = new Map<string, T>()
  return async (text) => {
    const known = kept.get(text)
    if (known !== undefined) return known
    const value = await make(text)
    const [oldest] = kept.keys()
    if (oldest !== undefined && kept.size >= most) kept.delete(oldest)
    kept.set(text, value)
    return value
  }
}
