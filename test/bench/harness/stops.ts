/** Stops for everything that was started, latest first: processes by their id, servers, folders. */
const stops: (() => Promise<void> | void)[] = []
let hasStopped = false

/** Whether the end has come: then nothing more is worth measuring. */
export const isEnding = (): boolean => hasStopped

/**
 * Runs `stop` at the end of the benchmark, also after an error.
 * @throws Error when the end has come: what was just started is stopped at once
 */
export function atEnd(stop: () => Promise<void> | void): void {
  if (!hasStopped) {
    stops.push(stop)
    return
  }
  void stop()
  throw new Error('the benchmark is ending')
}

/** Runs work and stops what it has started, in reverse order of starting. */
export async function stoppingAfter<T>(work: () => Promise<T>): Promise<T> {
  const before = stops.length
  try {
    return await work()
  } finally {
    await stop(stops.splice(before))
  }
}

/** Stops everything, in reverse order of starting. May be called twice. */
export async function stopAll(): Promise<void> {
  hasStopped = true
  await stop(stops.splice(0))
}

async function stop(some: typeof stops): Promise<void> {
  for (const one of some.reverse()) {
    try {
      await one()
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
    // Not `once`: wrangler's own handler ends the process at once when it finds no other one.
    process.on(signal, () => {
      if (!hasStopped) void stopAll().then(() => process.exit(code))
    })
  }
}
