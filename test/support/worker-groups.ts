import type { BuiltWorker } from '../../lib/local/build.ts'

/** The Workers of some groups, and those that they are bound to, in their order. */
export function boundTo(all: BuiltWorker[], groups?: string[]): BuiltWorker[] {
  if (groups === undefined) return all
  const chosen = new Set<BuiltWorker>()
  const choose = (worker: BuiltWorker) => {
    if (chosen.has(worker)) return
    chosen.add(worker)
    // Without the jobs Worker what is said to the Clock goes nowhere.
    const services = Object.entries(worker.options.serviceBindings ?? {})
    const names = services.flatMap(([binding, service]) => (binding === 'CLOCK' ? [] : [nameOf(service)]))
    for (const other of all) if (names.includes(other.name)) choose(other)
  }
  for (const worker of all) if (groups.includes(worker.group)) choose(worker)
  return all.filter((worker) => chosen.has(worker))
}

const nameOf = (service: unknown): unknown =>
  typeof service === 'object' && service !== null && 'name' in service ? service.name : service
