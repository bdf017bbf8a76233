/**
 * Keeps what was loaded in this isolate for some seconds, so that many who ask cost one call. Only a value is
 * shared, never a promise: a Worker must not wait for another request's I/O. What fails is not kept.
 */
export function keptFor<T>(seconds: number) {
  let kept: { value: T; at: number } | undefined
  return async (now: Date, load: () => Promise<T>): Promise<T> => {
    const age = kept === undefined ? Number.POSITIVE_INFINITY : now.getTime() - kept.at
    if (kept !== undefined && age >= 0 && age < seconds * 1000) return kept.value
    const value = await load()
    kept = { value, at: now.getTime() }
    return value
  }
}
