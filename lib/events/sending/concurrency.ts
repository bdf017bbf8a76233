/** Orders items so that the first item of each key comes before any second one, and so on. */
export function roundRobin<T>(items: T[], keyOf: (item: T) => string): T[] {
  const groups = [...Map.groupBy(items, keyOf).values()]
  const rounds = Math.max(0, ...groups.map(({ length }) => length))
  return Array.from({ length: rounds }, (_, n) => groups.flatMap((group) => group.slice(n, n + 1))).flat()
}

/**
 * Begins work on each item in order, at most `atOnce` at a time.
 * @param work must not reject
 * @param limits.patienceMs begin no more items after no running work ends for this long
 * @returns the items not begun, and a promise of the end of running work; resolves when no more are begun
 */
export async function runConcurrently<T>(
  items: T[],
  limits: { atOnce: number; patienceMs: number },
  work: (item: T) => Promise<unknown>,
): Promise<{ left: T[]; ended: Promise<unknown> }> {
  const running = new Set<Promise<unknown>>()
  let next = 0
  for (const item of items) {
    if (running.size >= limits.atOnce && !(await endsWithin(limits.patienceMs, running))) break
    const run = work(item).finally(() => running.delete(run))
    running.add(run)
    next += 1
  }
  return { left: items.slice(next), ended: Promise.all(running) }
}

function endsWithin(ms: number, running: Iterable<Promise<unknown>>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms)
    const end = () => {
      clearTimeout(timer)
      resolve(true)
    }
    for (const run of running) run.then(end, end)
  })
}

/**
 * Passes added items on: the first at once, then each time all items that were added in the meantime.
 * @param handOn must not reject
 */
export function gathered<T>(handOn: (items: T[]) => Promise<void>) {
  let waiting: T[] = []
  let handing: Promise<void> | undefined
  const handAll = async () => {
    while (waiting.length > 0) {
      const items = waiting
      waiting = []
      await handOn(items)
    }
    handing = undefined
  }
  return {
    add(item: T): void {
      waiting.push(item)
      handing ??= handAll()
    },
    /** Waits until all added items are passed on. */
    empty: async (): Promise<void> => handing,
  }
}
