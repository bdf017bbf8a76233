/**
 * Waits for a promise, but no longer than so many milliseconds. What it stands for goes on.
 * @throws DOMException TimeoutError; what the promise is rejected with
 */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new DOMException('no answer in time', 'TimeoutError')), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    if (timer !== undefined) clearTimeout(timer)
  }
}
