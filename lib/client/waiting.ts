/** Waits `ms` milliseconds; rejects with the signal's reason if it is aborted. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>

export const sleep: Sleep = (ms, signal) => {
  let timer!: ReturnType<typeof setTimeout>
  const slept = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  return unlessAborted(slept, signal).finally(() => clearTimeout(timer))
}

/** Throws the reason of an aborted signal. React Native's signals can't do this, and have no reason. */
export function throwIfAborted(signal?: AbortSignal): void {
  if (signal?.aborted) throw reasonOf(signal)
}

const reasonOf = (signal: AbortSignal): unknown =>
  signal.reason ?? Object.assign(new Error('The operation was aborted'), { name: 'AbortError' })

/** Settles with the promise, or immediately rejects with the reason of a signal that is aborted earlier. */
export function unlessAborted<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const abort = () => reject(reasonOf(signal))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
