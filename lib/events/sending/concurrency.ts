/** Orders items so that each key has its first before any has its second, and so on. */
export function roundRobin<T>(items: T[], keyOf: (item: T) => string): T[] {
  const groups = [...Map.groupBy(items, keyOf).values()]
  const rounds = Math.max(0, ...groups.map(({ length }) => length))
  return Array.from({ length: rounds }, (_, n) => groups.flatMap((group) => group.slice(n, n + 1))).flat()
}

/**
 * Begins work on each item in order, at most so many at a time.
 * @param work must not reject
 * @param limits.patienceMs when nothing under way ends for so long, no more is begun
 * @returns as soon as no more is begun: the items left over, and a promise of the end of running work
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
 * Hands on added items: the first at once, and then all items together that came in meanwhile.
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
    /** Waits until all that was added is handed on. */
    empty: async (): Promise<void> => handing,
  }
}
