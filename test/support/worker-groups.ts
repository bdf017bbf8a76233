import type { BuiltWorker } from '../../lib/local/build.ts'

/** The Workers of some groups, and those that they are bound to, in their order. */
export function boundTo(all: BuiltWorker[], groups?: string[]): BuiltWorker[] {
  if (groups === undefined) return all
  const chosen = new Set<BuiltWorker>()
  const choose = (worker: BuiltWorker) => {
    if (chosen.has(worker)) return
    chosen.add(worker)
    for (const other of all) if (worker.services.includes(other.name)) choose(other)
  }
  for (const worker of all) if (groups.includes(worker.group)) choose(worker)
  return all.filter((worker) => chosen.has(worker))
}
