/** What was started and must end, latest first: processes by their id, servers, folders. */
const stops: (() => Promise<void> | void)[] = []

/** Has `stop` run at the end of the benchmark, however it ends. */
export const atEnd = (stop: () => Promise<void> | void): void => {
  stops.push(stop)
}

/** Stops everything, in reverse order of starting. May be called twice. */
export async function stopAll(): Promise<void> {
  for (const stop of stops.splice(0).reverse()) {
    try {
      await stop()
    } catch (error) {
      console.error(error)
    }
  }
}

/** Has SIGINT and SIGTERM stop everything before the process ends. */
export function stopOnSignals(): void {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.once(signal, () => void stopAll().then(() => process.exit(code)))
  }
}
